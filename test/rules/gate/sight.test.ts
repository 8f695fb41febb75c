/** What somebody in the view is told of files and directories of the base that he asks for by other ways than opening them. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import type { Caller, Ticket } from '../../../src/fuse/filesystem.ts';
import { GateLog } from '../../../src/rules/gate-log.ts';
import { Identities } from '../../../src/rules/identities.ts';
import { Judge } from '../../../src/rules/judge.ts';
import { Rules } from '../../../src/rules/rules.ts';
import { mayRead, type Seen } from '../../../src/rules/sight.ts';
import type { State } from '../../../src/rules/states.ts';
import type { BytePath, NodeId } from '../../../src/sys/bytes.ts';
import { OK } from '../../../src/sys/errno.ts';
import { O_RDWR } from '../../../src/sys/libc.ts';
import { openView } from '../../staging/session-parts.ts';
import { ViewDriver } from '../../staging/view-driver.ts';
import { rulesOf } from '../naive.ts';

const CALLER: Caller = { uid: 0, gid: 0, pid: 1, ticket: 0 as Ticket };

const FILES = [
  'open/plain',
  'open/changed',
  'open/written',
  'open/secret',
  'open/veiled',
  'closed/file',
  'veil/file',
  'veil/below/file',
];
const RULES: readonly (readonly [string, State])[] = [
  ['open/secret', 'deny'],
  ['open/veiled', 'hidden'],
  ['closed', 'deny'],
  ['veil', 'hidden'],
];

/** A view in which one file is changed and one is open to be written, and what it says of originals and directories by their paths below its own. */
function asked(
  t: TestContext,
): (originals: readonly string[], directories?: readonly (readonly [string, string])[]) => Seen {
  const { overlay, base, dir, close } = openView({ watched: false });
  t.after(() => close());
  for (const each of ['open', 'closed', 'veil/below']) mkdirSync(`${dir}/${each}`, { recursive: true });
  for (const file of FILES) writeFileSync(`${dir}/${file}`, file);
  const at = (path: string): BytePath => `${dir}/${path}` as BytePath;
  const nothing = (): void => undefined;
  const { nodePaths } = overlay;
  const identities = new Identities({ fs: overlay, nodePaths, base, project: dir, onFull: nothing, onClosed: nothing });
  const rules = new Rules(RULES.flatMap(([path, state]) => rulesOf(at(path), { state, layer: 'user' })));
  const log = new GateLog(nothing);
  const judge = new Judge(rules, { nodePaths, asker: { ask: () => 'refuse' }, identities, log });
  const driver = new ViewDriver(overlay);
  driver.write(at('open/changed'), 0, 'by the agent');
  // Where there are sources it is noted who writes, as what a mapping writes stays with the kernel for long.
  overlay.arrivals.fetcher = { content: () => OK, name: () => OK, sourceOf: () => undefined, isAbove: () => false };
  overlay.open(driver.resolve(at('open/written')) as NodeId, O_RDWR, CALLER);
  return (originals, directories = []) =>
    mayRead(
      {
        paths: [],
        inos: [],
        words: [],
        originals: originals.map(at),
        directories: directories.map(([path, names]) => ({ dir: at(path), names })),
      },
      { fs: overlay, judge, identities, untouchedIn: (path) => overlay.untouchedIn(path) },
    );
}

test('an original is seen where nothing above it is hidden, no rule closes it, and the view has nothing in its place', (t) => {
  const { originals } = asked(t)(FILES);
  assert.deepEqual(
    FILES.filter((_, i) => originals[i]),
    ['open/plain'],
  );
});

test('of a directory it is told what is not as the base has it or closed, and what of that is hidden', (t) => {
  const { directories } = asked(t)([], [['open', 'plain/changed/written/secret/veiled']]);
  const [open] = directories;
  assert.deepEqual([open?.isThere, open?.hidden], [true, 'veiled']);
  assert.deepEqual(open?.others?.split('/').sort(), ['changed', 'secret', 'veiled', 'written']);
});

test('of a closed directory nothing is told but that it is there, and of a hidden one and what is below it not even that', (t) => {
  const { directories } = asked(t)(
    [],
    [
      ['closed', 'file'],
      ['veil', 'file'],
      ['veil/below', 'file'],
    ],
  );
  const nothing = { others: undefined, hidden: '' };
  assert.deepEqual(directories, [
    { isThere: true, ...nothing },
    { isThere: false, ...nothing },
    { isThere: false, ...nothing },
  ]);
});
