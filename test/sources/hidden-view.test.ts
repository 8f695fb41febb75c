/**
 * Nobody sees more than they may, in a whole view: for random worlds, a source of all entries, looked at by somebody who may see some of them,
 * beside one that was built without the others. Every word that programs in the view get is the same, and so is what lies
 * on the disk for it; a name that is hidden costs as many requests to the server as one that is not there.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { Random } from '../random/random.ts';
import { SEED } from '../random/seed.ts';
import { MAIN, type Session, session } from '../support/session.ts';
import { makeCollection, pageRows } from './chroma/collections.ts';
import { TestIndex } from './search/test-index.ts';
import { startProtocolServer } from './servers/chroma-protocol.ts';
import { SearchProtocolServer } from './servers/protocol/search-protocol.ts';

const WORLDS = 4;
const GROUPS = ['admin', 'billing', 'ops'];
const PATHS = [
  'a.md',
  'dir/one.md',
  'dir/two.md',
  'dir/deep/three.md',
  'only/here.md',
  'x y.md',
  'ünï.md',
  'internal/b.md',
];
const WORDS = ['secret', 'needle', 'hay', 'Ünï'];
const YOLOFS = `'${process.execPath}' '${MAIN}'`;

interface Doc {
  readonly path: string;
  readonly content: string;
  readonly acl: readonly string[];
}

/** A server that counts what it is asked about paths and words, and takes worlds: whether anything has changed it is asked each minute. */
interface Server {
  /** What `yolofs source add NAME` gets for a source with these documents. */
  put(docs: readonly Doc[]): Promise<readonly string[]>;
  asked(): number;
  stop(): Promise<void>;
}

for (const [name, start] of Object.entries({ chroma, opensearch })) {
  test(`${name}: what may not be seen is in no name, size, count, search, error, cache or request of a view`, (t) =>
    hiddenIsAbsent(t, start));
}

async function hiddenIsAbsent(t: TestContext, start: () => Promise<Server>): Promise<void> {
  const random = new Random(SEED);
  const [whole, bare] = [await start(), await start()];
  const s = await session(t, { onStopped: () => Promise.all([whole.stop(), bare.stop()]).then(() => undefined) });
  let hidden = 0;
  for (let world = 0; world < WORLDS; world += 1) {
    const docs = docsOf(random);
    const as = GROUPS.filter(() => random.below(3) === 0);
    const seen = docs.filter(({ acl }) => acl.some((group) => group === 'public' || as.includes(group)));
    hidden += docs.length - seen.length;
    const groups = as.flatMap((group) => ['--as', group]);
    await s.succeed(['source', 'add', `whole${world}`, ...(await whole.put(docs)), ...groups]);
    await s.succeed(['source', 'add', `apart${world}`, ...(await bare.put(seen)), ...groups]);
  }
  assert.ok(hidden > WORLDS, `${hidden} documents are hidden`);
  for (let world = 0; world < WORLDS; world += 1) {
    const [one, other] = [await everythingAt(s, whole, `whole${world}`), await everythingAt(s, bare, `apart${world}`)];
    assert.deepEqual(one, other, `world ${world}`);
    const each = onDisk(s, `whole${world}`);
    assert.deepEqual(each, onDisk(s, `apart${world}`));
  }
}

/** What a program can find out below a source, and what it cost the server. */
async function everythingAt(s: Session, server: Server, name: string): Promise<unknown> {
  const at = `/sources/${name}`;
  // How much is read ahead depends on how fast it goes: from here on all that is there has been read.
  const shown = await s.sh(`cd ${at}; find . -type f | sort | xargs -d '\\n' -r head -c 1000`);
  const before = server.asked();
  const guesses = [...PATHS, ...PATHS.map((path) => path.split('/')[0] ?? ''), 'none.md', 'none/none.md'];
  const parts = [
    `cd ${at}`,
    'ls -AR; find . -type f -printf "%p %TY-%Tm-%Td %m\\n" | sort; find . -printf "%p %s %y\\n" | sort; du -ab . | sort; stat -c "%s %h %F" .',
    ...guesses.map((path) => `stat -c %s '${path}'; cat '${path}' | head -c 300; ls -d '${path}/'`),
    ...WORDS.flatMap((word) => [`grep -rc ${word} . | sort`, `${YOLOFS} grep -rn ${word} . | sort`]),
    `${YOLOFS} status --json | grep -c files`,
    `echo mine > internal/b.md; mkdir internal; echo mine > internal/b.md; mv a.md a2.md; rm -r dir; ls -R`,
  ];
  const text = await s.sh(`exec 2>&1; set +e\n${parts.join('\n')}\ntrue`);
  return { shown, text: text.replaceAll(name, 'NAME'), asked: server.asked() - before };
}

/** Names and bytes of what the session keeps of a source. */
function onDisk(s: Session, name: string): unknown {
  const dir = s.layout.sources;
  const below = (root: string): unknown[] =>
    readdirSync(root, { recursive: true, encoding: 'utf8' })
      .sort()
      .map((path) => {
        const at = join(root, path);
        // Random, so that times tell nobody a revision.
        if (path === 'secret') return [path];
        return statSync(at).isFile() ? [path, readFileSync(at, 'latin1')] : [path];
      });
  const states = readdirSync(join(dir, 'state')).filter((one) => one.startsWith(`${name}-`));
  const text = JSON.stringify([
    below(join(dir, 'root/sources', name)),
    states.map((one) => below(join(dir, 'state', one))),
  ]);
  // No view shows these: an index counts its changes in revisions, and its name is part of a version.
  return text.replaceAll(name, 'NAME').replace(/\\"(?:version|rev)\\":\\"[\w.]+\\"/g, '');
}

function isAbout(text: string): boolean {
  return [...PATHS, ...WORDS].some((word) => text.includes(word));
}

function docsOf(random: Random): Doc[] {
  return PATHS.filter(() => random.below(6) > 0).map((path) => ({
    path,
    content: Array.from({ length: 1 + random.below(6) }, () => `${random.pick(WORDS)} ${random.pick(WORDS)}\n`).join(
      '',
    ),
    acl: random.below(2) === 0 ? ['public'] : GROUPS.filter(() => random.below(2) === 0),
  }));
}

async function chroma(): Promise<Server> {
  const server = await startProtocolServer();
  return {
    async put(docs) {
      const rows = docs.flatMap(({ path, content, acl }) =>
        pageRows(path, [content], {
          isPublic: acl.includes('public'),
          groups: acl.filter((group) => group !== 'public'),
        }),
      );
      const { name } = await makeCollection(server.url, rows);
      return ['chroma', '--url', server.url, '--collection', name];
    },
    asked: () => server.asked.filter(({ body }) => isAbout(JSON.stringify(body))).length,
    stop: server.stop,
  };
}

async function opensearch(): Promise<Server> {
  const protocol = await SearchProtocolServer.start('opensearch');
  const server = { kind: 'opensearch', url: protocol.url, hasWildcard: true } as const;
  return {
    async put(docs) {
      const index = await TestIndex.create(server);
      const sized = docs.map((doc) => ({ id: doc.path, ...doc, size: Buffer.byteLength(doc.content) }));
      if (sized.length > 0) await index.put(sized);
      return ['opensearch', '--url', server.url, '--index', index.name, '--field', 'size=size'];
    },
    asked: () => protocol.asked.filter(({ text }) => isAbout(text)).length,
    stop: () => protocol.stop(),
  };
}
