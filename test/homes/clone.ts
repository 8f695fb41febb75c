/** What a home takes to go the way of README.md from a clone: the repository, npm, and how the network is reached. */
import { renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { NETWORK_ENV, succeed } from '../support/exec.ts';
import { REPOSITORY } from '../support/source-files.ts';
import { HOMES } from './places.ts';

export interface CloneFiles {
  /** What is committed, as one file: git takes no repository of another user. */
  readonly bundle: string;
  /** npm's own directory, which fits each architecture. */
  readonly npm: string;
  /** How npm reaches the network. */
  readonly network: Readonly<Record<string, string>>;
  /** A file of certificates that npm needs for it. */
  readonly certificates?: string;
}

/** The program of npm, below its directory. */
export const NPM_PROGRAM = 'bin/npm-cli.js';

/** Makes the bundle anew. */
export async function cloneFiles(): Promise<CloneFiles> {
  const bundle = join(HOMES, 'repository.bundle');
  await succeed(['git', 'bundle', 'create', '--quiet', `${bundle}.new`, 'HEAD'], { cwd: REPOSITORY });
  renameSync(`${bundle}.new`, bundle);
  const root = (await succeed(['npm', 'root', '--global'], { cwd: dirname(HOMES) })).trim();
  const { NODE_EXTRA_CA_CERTS: certificates, SSL_CERT_FILE, SSL_CERT_DIR, ...network } = NETWORK_ENV;
  return { bundle, npm: join(root, 'npm'), network, ...(certificates === undefined ? {} : { certificates }) };
}
