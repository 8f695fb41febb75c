/**
 * Chroma's own server, from PyPI. The program is a library of its package, and needs nothing of what the package requires
 * for clients: 22 MB to fetch instead of 110.
 */
import { self } from '../../support/accounts.ts';
import { installed } from './cache.ts';
import { type RealServer, startServer } from './server-process.ts';

export const CHROMA_VERSION = '1.5.9';
/** What installs and starts it. `python3` needs its module `venv`. */
export const CHROMA_PROGRAMS = ['python3', 'flock', 'setpriv'];

const INSTALL = `
python3 -m venv venv
venv/bin/pip install --quiet --no-input --disable-pip-version-check --no-deps --no-compile chromadb==${CHROMA_VERSION}
`;
/** What the package's own command `chroma` does. */
const RUN = 'import sys, chromadb_rust_bindings; chromadb_rust_bindings.cli(sys.argv[1:])';

/** Starts a server with an empty directory. */
export async function startChroma(): Promise<RealServer> {
  const place = await installed(`chroma-${CHROMA_VERSION}`, INSTALL);
  return startServer({
    account: self,
    health: '/api/v2/heartbeat',
    isReady: (answer) => answer !== undefined,
    command: async (port, directory) => {
      const where = ['--host', '127.0.0.1', '--port', String(port), '--path', directory];
      return ['env', 'ANONYMIZED_TELEMETRY=False', `${place}/venv/bin/python3`, '-c', RUN, 'chroma', 'run', ...where];
    },
  });
}
