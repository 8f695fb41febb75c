/** Each state against each kind of access, in a real view where nobody answers questions. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { STATES, type State } from '../../../src/rules/states.ts';
import { accounts } from '../../support/accounts.ts';
import { session } from '../../support/session.ts';
import { outcomeLines, type Probe, rulesText, seedFiles } from '../gated.ts';

const READS = ['read file', 'exec run.sh'];
const WRITES = [
  ...[
    'write file',
    'rdwr file',
    'append file',
    'chmod file',
    'utimes file',
    'truncate file',
    'trunc file',
    'rdonly-trunc file',
  ],
  ...[
    'create new',
    'mkdir newdir',
    'symlink newlink',
    'unlink gone',
    'rmdir empty',
    'rename from ../to-STATE',
    'rename . ../moved-STATE',
  ],
];
const NEVER_ASKED = ['stat file', 'access file', 'stat .', 'readlink link'];

/** `name` may be in the directory of a state, or (`.`) that itself. */
function probe(line: string, state: State): Probe {
  const [what = '', ...paths] = line.replaceAll('STATE', state).split(' ');
  return [what, ...paths.map((path) => `${state}/${path}`)] as unknown as Probe;
}

function expected(line: string, state: State): string {
  const refusal = state === 'hidden' ? 'ENOENT' : 'EACCES';
  if (NEVER_ASKED.includes(line)) return state === 'hidden' ? 'ENOENT' : 'ok';
  if (line === 'list .') return state === 'deny' || state === 'hidden' ? refusal : 'ok';
  if (READS.includes(line)) return ['allow', 'read-only', 'ask-write'].includes(state) ? 'ok' : refusal;
  return state === 'allow' ? 'ok' : refusal;
}

for (const account of accounts()) {
  test(`each state lets through what it says, for ${account.title}`, async (t) => {
    const s = await session(t, {
      account,
      seed: (project) => {
        for (const state of STATES)
          seedFiles(
            project,
            ['file', 'run.sh', 'gone', 'empty/', 'from', 'sub/deep'].map((path) => `${state}/${path}`),
          );
      },
      config: rulesText(Object.fromEntries(STATES.map((state) => [state, state]))),
    });
    await s.native(['sh', '-c', `for d in ${STATES.join(' ')}; do ln -s file $d/link; done`]);
    const lines = ['list .', ...NEVER_ASKED, ...READS, 'read sub/deep', ...WRITES];
    const cases = STATES.flatMap((state) => lines.map((line) => ({ line, state })));
    const is = (line: string) => (line === 'read sub/deep' ? 'read file' : line);
    const wanted = cases.map(({ line, state }) => `${probe(line, state).join(' ')}: ${expected(is(line), state)}`);
    assert.deepEqual(
      await outcomeLines(
        s,
        cases.map(({ line, state }) => probe(line, state)),
      ),
      wanted,
    );
    assert.deepEqual(
      (await s.sh('ls'))
        .trim()
        .split('\n')
        .filter((name) => name === 'hidden'),
      [],
    );
    const touched = (await s.changes()).map(({ path }) => path).filter((path) => !/^(?:moved-|to-)?allow/.test(path));
    assert.deepEqual(touched, [], 'what was refused has changed nothing');
  });
}
