/** The second disk of a machine: this repository as it is built, with Node and the dependencies of its architecture, what a clone takes, and the job. */

import { createHash } from 'node:crypto';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { NETWORK_ENV, succeed } from '../../support/exec.ts';
import { REPOSITORY } from '../../support/source-files.ts';
import { cloneFiles, NPM_PROGRAM } from '../clone.ts';
import { HOMES } from '../places.ts';
import { makeDisk, type System } from './root.ts';

const CPU = { amd64: 'x64', arm64: 'arm64' } as const;
/** Where the machine has the disk. */
const MOUNTED = '/opt/yolofs';
const PARTS = ['package.json', 'package-lock.json', 'README.md', 'dist', 'src', 'test', 'hooks'];

/** Makes it anew; `job` is a file of `test/homes/jobs`. */
export async function programDisk(arch: System['arch'], job: string): Promise<string> {
  const disk = join(HOMES, `program-${arch}.ext4`);
  const place = mkdtempSync(join(HOMES, 'program-'));
  try {
    const repository = join(place, 'repository');
    mkdirSync(repository);
    for (const part of PARTS) cpSync(join(REPOSITORY, part), join(repository, part), { recursive: true });
    cpSync(await dependenciesOf(arch), join(repository, 'node_modules'), { recursive: true, verbatimSymlinks: true });
    copyFileSync(await nodeOf(arch), join(place, 'node'));
    copyFileSync(join(REPOSITORY, 'test/homes/jobs', job), join(place, 'job.sh'));
    await addClone(place);
    await succeed(['chown', '-R', '0:0', place]);
    await makeDisk(place, disk, '2G');
    return disk;
  } finally {
    rmSync(place, { recursive: true });
  }
}

/** `clone.env` is for a shell, and tells `clone.sh` where what it takes is then. */
async function addClone(place: string): Promise<void> {
  const { bundle, npm, network, certificates } = await cloneFiles();
  copyFileSync(bundle, join(place, 'repository.bundle'));
  cpSync(npm, join(place, 'npm'), { recursive: true });
  if (certificates !== undefined) copyFileSync(certificates, join(place, 'certificates.pem'));
  const trusted = certificates === undefined ? {} : { NODE_EXTRA_CA_CERTS: `${MOUNTED}/certificates.pem` };
  const paths = { BUNDLE: `${MOUNTED}/repository.bundle`, NPM: `${MOUNTED}/npm/${NPM_PROGRAM}` };
  const lines = Object.entries({ ...network, ...trusted, ...paths }).map(
    ([name, value]) => `export ${name}='${value}'\n`,
  );
  const steps = `STEPS=$(cat ${MOUNTED}/repository/test/homes/steps.sh) && export STEPS\n`;
  writeFileSync(join(place, 'clone.env'), lines.join('') + steps);
}

/** This Node where it runs there, else npm's build of the same version. */
async function nodeOf(arch: System['arch']): Promise<string> {
  if (CPU[arch] === process.arch) return process.execPath;
  const name = `node-linux-${CPU[arch]}@${process.versions.node}`;
  return join(
    await installed(`node-${process.versions.node}-${arch}`, arch, ['install', '--no-save', name]),
    `node_modules/node-linux-${CPU[arch]}/bin/node`,
  );
}

async function dependenciesOf(arch: System['arch']): Promise<string> {
  const lock = readFileSync(join(REPOSITORY, 'package-lock.json'));
  const hash = createHash('sha256').update(lock).digest('hex').slice(0, 12);
  return join(await installed(`modules-${hash}-${arch}`, arch, ['ci']), 'node_modules');
}

/** A directory in which npm has done this, for that architecture. */
async function installed(name: string, arch: System['arch'], words: readonly string[]): Promise<string> {
  const place = join(HOMES, name);
  if (existsSync(place)) return place;
  const fresh = `${place}.new`;
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(fresh, { recursive: true });
  for (const file of ['package.json', 'package-lock.json']) {
    if (words[0] === 'ci') copyFileSync(join(REPOSITORY, file), join(fresh, file));
  }
  const argv = ['npm', ...words, '--ignore-scripts', '--force', '--os=linux', `--cpu=${CPU[arch]}`];
  await succeed(argv, { cwd: fresh, timeout: 600_000, env: { ...NETWORK_ENV, HOME: process.env.HOME ?? '/' } });
  renameSync(fresh, place);
  return place;
}
