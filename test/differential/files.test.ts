/** Everyday tools on trees of files: archives, copies, edits, deletions. */
import { linkSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Random } from '../random/random.ts';
import { accounts, someAccounts } from '../support/accounts.ts';
import { BUILT } from '../support/session.ts';
import { differential } from './differential.ts';

/** 600 files in 30 directories, with modes, old times, links and an executable. */
function seed(project: string): void {
  const random = new Random(11);
  for (let d = 0; d < 30; d++) {
    const dir = join(project, 'data', `d${d % 6}`, `e${d}`);
    mkdirSync(dir, { recursive: true });
    for (let f = 0; f < 20; f++) {
      const path = join(dir, `f${f}.txt`);
      writeFileSync(path, random.text(random.below(6000)), { mode: f % 7 === 0 ? 0o755 : 0o640 });
      utimesSync(path, 1_000_000_000 + d, 1_100_000_000 + d * 100 + f + 0.25);
    }
    linkSync(join(dir, 'f1.txt'), join(dir, 'hard.txt'));
    symlinkSync(`f${d % 20}.txt`, join(dir, 'soft.txt'));
  }
  writeFileSync(join(project, 'big.bin'), random.bytes(3 << 20));
}

differential({
  title: 'tar, out and in',
  script: `tar -cf all.tar --sort=name data; sha1sum all.tar; mkdir out; tar -xpf all.tar -C out
    tar -czf - data big.bin | tar -xzf - -C out; tar -df all.tar && echo same; tar -rf all.tar big.bin; rm -r data; tar -xf all.tar`,
  needs: ['tar'],
  seed,
  accounts: accounts(),
});

differential({
  title: 'cp -a, cp -r, mv and install',
  script: `cp -a data copy; cp -r data/d1 plain; cp --sparse=always -a big.bin big2.bin; mv data/d2 moved; mv data/d3/e3 data/d4/
    install -D -m 711 big.bin deep/er/tool; ln -f big.bin hard.bin; cp -al copy linked; mv -T plain copy/d0/plain; chmod -R g+w copy
    touch -d '2001-02-03 04:05:06.789' copy/d1/e1/f1.txt; truncate -s 12345 big2.bin; dd if=big.bin of=big2.bin bs=1000 seek=5 count=3 conv=notrunc status=none
    find copy linked -type f | wc -l; diff -r data/d1 copy/d1 && echo equal`,
  seed,
});

differential({
  title: 'rsync -a, again after changes, and --delete',
  script: `rsync -aH data/ mirror/; echo new > data/d1/new; rm -r data/d2; touch -d 2010-01-01 data/d3/e3/f3.txt; rsync -aH --delete data/ mirror/
    rsync -aHn --delete --itemize-changes data/ mirror/ | wc -l; rsync -a --inplace --no-whole-file big.bin mirror/big.bin`,
  needs: ['rsync'],
  seed,
});

differential({
  title: 'sed -i, patch, sort -o and redirections',
  script: `find data/d1 -name '*.txt' -type f | xargs sed -i 's/a/A/g; 2d'; sed -i.bak '1i top' data/d2/e2/f2.txt
    cp -r data before; for f in data/d3/e3/f*.txt; do echo "$f" >> "$f"; done
    diff -ru --no-dereference before data > change.patch || true; rm -r data; mv before data; patch -p0 -s < change.patch; rm change.patch
    sort -o data/d4/e4/f4.txt data/d4/e4/f4.txt; tr a-z A-Z < data/d5/e5/f5.txt > upper; echo tail >> upper; : > data/d5/e5/f6.txt
    cat data/d*/e*/f*.txt | sha1sum`,
  needs: ['patch', 'sed', 'diff'],
  seed,
  accounts: someAccounts(),
});

differential({
  title: 'atomic saves as editors do them',
  script: `f=data/d1/e1/f1.txt
    echo one > "$f.tmp"; sync "$f.tmp"; mv "$f.tmp" "$f"
    cp -p "$f" "$f~"; echo two > "$f"; rm "$f~"
    g=data/d1/e7/f2.txt; mv "$g" "$g.orig"; echo three > "$g"; chmod --reference="$g.orig" "$g"; touch -r "$g.orig" "$g"; rm "$g.orig"
    ln data/d2/e2/f3.txt data/d2/e2/#lock; rm data/d2/e2/#lock; umask 077; mktemp -p data XXXXXX | wc -l; rm data/??????
    for i in 1 2 3 4 5; do echo "$i" > x.new; mv x.new x; cat x; done`,
  seed,
});

differential({
  title: 'vim, writing in place and with backups',
  script: `for f in data/d1/e1/f*.txt; do vim -u NONE -es -c '%s/e/E/ge' -c 'wq' "$f"; done
    vim -u NONE -es -c 'set backup backupcopy=yes' -c 'normal Gohello' -c 'wq' data/d2/e2/f2.txt
    vim -u NONE -es -c 'set backup backupcopy=no' -c 'normal Gohello' -c 'wq' data/d3/e3/f3.txt; vim -u NONE -es -c 'normal inew' -c 'wq' fresh`,
  needs: ['vim'],
  seed,
});

differential({
  title: 'find -delete and rm -rf',
  script: `find data/d1 -name '*3.txt' -delete; find data -type l -delete; rm -rf data/d2 data/d3; find data/d4 -depth -delete
    find data | sort; mkdir data/d2; echo again > data/d2/file; rm -rf data/d5/e5; find . -type f | wc -l`,
  seed,
  accounts: someAccounts(),
});

differential({
  title: 'writes through shared mappings',
  script: `${process.execPath} ${join(BUILT, 'test/differential/mmap-main.js')} big.bin new.bin; sha1sum big.bin new.bin`,
  seed,
});

differential({
  title: 'names and directories that change kind',
  script: `rm data/d1/e1/f1.txt; mkdir data/d1/e1/f1.txt; echo in > data/d1/e1/f1.txt/in; rm -r data/d2; echo file > data/d2
    rm data/d3/e3/f3.txt; ln -s ../../d4 data/d3/e3/f3.txt; rm -r data/d4/e4; ln -s nowhere data/d4/e4; mkfifo data/d5/fifo
    mv data/d0 t; mv data/d1 data/d0; mv t data/d1; mv data/d5/e5/f1.txt a; mv data/d5/e5/f2.txt data/d5/e5/f1.txt; mv a data/d5/e5/f2.txt
    mv data/d5/e11/f1.txt data/d5/; rm -r data/d5/e11; mkdir data/d5/e11; printf '%s' x > data/d5/e11/$'new\\nline'; echo y > data/d5/$'\\xff\\xfe'
    chmod 700 data/d5; chmod 600 big.bin; find . -printf '%y %m %l\\n' | sort | uniq -c | sort -rn | head -3`,
  seed,
  accounts: accounts(),
});
