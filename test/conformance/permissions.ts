/** What the kernel must refuse to an ordinary user; root may, and both are what the host does. */
import * as fs from 'node:fs';
import { join } from 'node:path';
import { names, type Operation, text } from './operation.ts';

export const permissions: Operation[] = [
  {
    title: 'open() obeys the mode of files',
    run(t, dir) {
      t.tries('write 0444', () => fs.appendFileSync(join(dir, 'readonly'), 'x'));
      t.tries('read 0444', () => text(join(dir, 'readonly')));
      t.tries('truncate 0444', () => fs.truncateSync(join(dir, 'readonly'), 0));
      t.tries('read 0000', () => text(join(dir, 'secret')));
      t.tries('write 0000', () => fs.writeFileSync(join(dir, 'secret'), 'x'));
      fs.writeFileSync(join(dir, 'mine'), 'x');
      fs.chmodSync(join(dir, 'mine'), 0o200);
      t.tries('read 0200', () => text(join(dir, 'mine')));
      t.tries('write 0200', () => fs.appendFileSync(join(dir, 'mine'), 'y'));
      fs.chmodSync(join(dir, 'mine'), 0o600);
      fs.chmodSync(join(dir, 'secret'), 0o600);
      t.tries('read 0000 after its owner opened it up', () => text(join(dir, 'secret')));
      fs.chmodSync(join(dir, 'secret'), 0o000);
      fs.unlinkSync(join(dir, 'readonly'));
      t.see('unlink needs the directory only', names(dir).includes('readonly'));
    },
  },
  {
    title: 'directories obey their mode: search, list, change',
    run(t, dir) {
      fs.chmodSync(join(dir, 'full'), 0o500);
      t.tries('create in 0500', () => fs.writeFileSync(join(dir, 'full/new'), ''));
      t.tries('unlink in 0500', () => fs.unlinkSync(join(dir, 'full/f00')));
      t.tries('rename out of 0500', () => fs.renameSync(join(dir, 'full/f01'), join(dir, 'f01')));
      t.tries('rename into 0500', () => fs.renameSync(join(dir, 'file'), join(dir, 'full/file')));
      t.tries('write in 0500', () => fs.appendFileSync(join(dir, 'full/f02'), 'x'));
      fs.chmodSync(join(dir, 'full'), 0o300);
      t.tries('list 0300', () => fs.readdirSync(join(dir, 'full')));
      t.tries('create in 0300', () => fs.writeFileSync(join(dir, 'full/new2'), ''));
      fs.chmodSync(join(dir, 'full'), 0o600);
      t.tries('stat in 0600', () => fs.statSync(join(dir, 'full/f03')));
      t.tries('list 0600', () => fs.readdirSync(join(dir, 'full')).length);
      fs.chmodSync(join(dir, 'full'), 0o755);
      t.see('names', names(join(dir, 'full')));
      t.tries('mkdir in 0500 parent', () => {
        fs.chmodSync(join(dir, 'sub'), 0o500);
        fs.mkdirSync(join(dir, 'sub/new'));
      });
      fs.chmodSync(join(dir, 'sub'), 0o755);
    },
  },
  {
    title: "other accounts' files are out of reach",
    run(t) {
      const tries = (what: string, call: () => unknown): void => t.tries(what, call);
      tries('read /etc/shadow', () => fs.closeSync(fs.openSync('/etc/shadow', 'r')));
      tries('write access to /etc/passwd', () => fs.accessSync('/etc/passwd', fs.constants.W_OK));
      tries('list /root', () => fs.readdirSync('/root').length);
      tries('write access to /usr', () => fs.accessSync('/usr', fs.constants.W_OK));
      tries('chmod of a foreign file', () => (process.getuid?.() === 0 ? 0 : fs.chmodSync('/etc/passwd', 0o644)));
      tries('times of a foreign file', () => (process.getuid?.() === 0 ? 0 : fs.utimesSync('/etc/passwd', 1, 1)));
      tries('create in a foreign directory', () =>
        process.getuid?.() === 0 ? 0 : fs.writeFileSync('/etc/yolofs-test', ''),
      );
    },
  },
];
