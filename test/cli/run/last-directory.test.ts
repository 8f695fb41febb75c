/** What a command in the view leaves for whoever started it outside is read as a file and nothing else, and never repeated. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { SELF } from '../../../src/cli/caller.ts';
import { lastDirectory } from '../../../src/cli/run/last-directory.ts';
import type { Layout } from '../../../src/history/layout.ts';
import { readBytes, readForeign, readText } from '../../../src/sys/files/text-files.ts';
import { layoutOf } from '../../history/registry/layouts.ts';

const SECRET = 'SECRET';

interface Place {
  readonly layout: Layout;
  /** The file that the command leaves. */
  readonly file: string;
  readonly secret: string;
}

function place(t: TestContext): Place {
  const root = mkdtempSync('/var/tmp/yolofs-last-');
  t.after(() => rmSync(root, { recursive: true }));
  const layout = layoutOf(root);
  mkdirSync(layout.tmp, { recursive: true });
  const secret = join(root, 'secret');
  writeFileSync(secret, `${SECRET}\n`);
  return { layout, file: join(layout.tmp, 'left'), secret };
}

/** What `lastDirectory` gives, and what it says. */
function ask({ layout }: Place): { found: string | undefined; said: string } {
  let said = '';
  const found = lastDirectory(layout.tmp, 'left', { ...SELF, err: (text) => (said += text) });
  return { found, said };
}

test('S5: a directory that is there outside, too, is the next one, and the file is gone', (t) => {
  const at = place(t);
  writeFileSync(at.file, '/etc\n');
  assert.deepEqual(ask(at), { found: '/etc', said: '' });
  assert.equal(existsSync(at.file), false);
});

test('S5: what the file holds is not repeated, and a link is not followed', (t) => {
  const at = place(t);
  writeFileSync(at.file, `/${SECRET}\n`);
  const { found, said } = ask(at);
  assert.deepEqual([found, said.includes(SECRET)], [undefined, false]);
  assert.match(
    said,
    /^yolofs: the next command does not start where this one has ended: that directory is only staged\n$/,
  );
  symlinkSync(at.secret, at.file);
  assert.deepEqual(ask(at), { found: undefined, said: '' });
});

test('S5: a file that is swapped for a link meanwhile gives nothing away', async (t) => {
  const at = place(t);
  const script =
    'import os,sys\nf,g=sys.argv[1:]\nimport ctypes\nc=ctypes.CDLL(None)\nwhile True: c.renameat2(-100,f.encode(),-100,g.encode(),2)';
  const { spawn } = await import('node:child_process');
  const link = `${at.file}-link`;
  let told = '';
  for (let round = 0; round < 3; round++) {
    writeFileSync(at.file, '/nowhere\n');
    symlinkSync(at.secret, link);
    const swapper = spawn('python3', ['-c', script, at.file, link], { stdio: 'ignore' });
    for (let i = 0; i < 2000 && (existsSync(at.file) || lstatSync(at.file, { throwIfNoEntry: false })); i++) {
      const { found, said } = ask(at);
      told += `${found ?? ''}${said}`;
    }
    swapper.kill('SIGKILL');
    await new Promise((resolve) => swapper.once('exit', resolve));
    for (const name of [at.file, link]) rmSync(name, { force: true });
  }
  assert.equal(told.includes(SECRET), false);
});

test('S13: pipes, directories and what is too long are left alone at once', (t) => {
  const at = place(t);
  execFileSync('mkfifo', [at.file]);
  assert.deepEqual(ask(at), { found: undefined, said: '' });
  for (const read of [readText, readBytes, readForeign])
    assert.throws(() => read(at.file), /cannot read .*left: invalid argument/);
  rmSync(at.file);
  mkdirSync(at.file);
  assert.deepEqual(ask(at), { found: undefined, said: '' });
  rmSync(at.file, { recursive: true });
  writeFileSync(at.file, `/${'x'.repeat(5000)}`);
  assert.deepEqual(ask(at), { found: undefined, said: '' });
  assert.throws(() => readForeign(at.file, 100), /EFBIG/);
});
