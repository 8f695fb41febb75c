/** Works on files with odd names in the current directory: `node odd-names-main.js fill|change`. */
import * as fs from 'node:fs';
import * as libc from '../../src/sys/libc.ts';
import { ODD_NAMES } from './names.ts';

const bytes = (text: string): Buffer => Buffer.from(text, 'latin1');

/** One name in a directory for each kind of change. */
function fill(): void {
  for (const dir of ['edited', 'deleted', 'moved', 'chmodded', 'linked']) {
    fs.mkdirSync(dir);
    for (const [i, name] of ODD_NAMES.entries()) fs.writeFileSync(bytes(`${dir}/${name}`), `${dir} ${i}\n`);
  }
}

function change(): void {
  for (const dir of ['added', 'symlinks', 'dirs', 'away']) fs.mkdirSync(dir);
  for (const name of ODD_NAMES) {
    fs.appendFileSync(bytes(`edited/${name}`), 'one line more\n');
    fs.unlinkSync(bytes(`deleted/${name}`));
    fs.renameSync(bytes(`moved/${name}`), bytes(`away/${name}`));
    fs.chmodSync(bytes(`chmodded/${name}`), 0o700);
    fs.linkSync(bytes(`linked/${name}`), bytes(`added/${name}`));
    fs.symlinkSync(bytes(name), bytes(`symlinks/${name}`));
    fs.mkdirSync(bytes(`dirs/${name}`));
    fs.writeFileSync(bytes(`dirs/${name}/${name}`), 'new\n');
    libc.setxattrAt(libc.AT_FDCWD, `dirs/${name}/${name}`, 'user.odd', bytes(name));
  }
}

if (process.argv[2] === 'fill') fill();
else change();
