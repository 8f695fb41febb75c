/** One real node of OpenSearch or Elasticsearch, installed from Maven. */
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ordinary } from '../../support/accounts.ts';
import { succeed } from '../../support/exec.ts';
import { REPOSITORY } from '../../support/source-files.ts';
import { installed } from './cache.ts';
import { freePort, type RealServer, startServer } from './server-process.ts';

export type NodeKind = 'opensearch' | 'elasticsearch';

/** What installs and starts a node. */
export const JAVA_PROGRAMS = ['java', 'javac', 'mvn', 'flock', 'setpriv'];

const MAIN: Readonly<Record<NodeKind, string>> = {
  opensearch: 'TestNode',
  elasticsearch: 'org.elasticsearch.node.TestNode',
};

/** A small heap, and little time spent on compiling: it lives for a minute. */
const JAVA = ['java', '-Xms256m', '-Xmx256m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-XX:-UsePerfData'];

/** Starts a node. Elasticsearch refuses to be root, so both run as the ordinary user. */
export async function startJavaNode(kind: NodeKind): Promise<RealServer> {
  const place = await install(kind);
  const account = ordinary();
  return startServer({
    account,
    health: '/_cluster/health',
    isReady: (answer) => ['green', 'yellow'].includes((answer as { status?: string } | undefined)?.status ?? ''),
    command: async (port, directory) => {
      const home = join(directory, 'home');
      mkdirSync(join(home, 'config'), { recursive: true });
      await succeed(['chown', '-R', `${account.uid}:${account.gid}`, home]);
      const classes = `${join(place, 'classes')}:${join(place, 'lib')}/*`;
      return [...JAVA, '-cp', classes, MAIN[kind], home, String(port), String(await freePort())];
    },
  });
}

/** The folder of a kind: its jars, and the compiled class that starts it. */
async function install(kind: NodeKind): Promise<string> {
  const recipe = join(REPOSITORY, 'test/sources/servers', kind);
  const version = /<server>(.*)<\/server>/.exec(readFileSync(join(recipe, 'pom.xml'), 'utf8'))?.[1] ?? 'unknown';
  const script = `
cp '${recipe}'/* .
mvn -q -B dependency:copy-dependencies -DincludeScope=runtime -DoutputDirectory=lib
javac -cp 'lib/*' -d classes TestNode.java
chmod -R a+rX .
`;
  return installed(`${kind}-${version}`, script);
}
