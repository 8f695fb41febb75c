/** `yolofs setup`: as root, what ordinary users of this host need once (sandbox/installed-copy.ts); `--remove` takes it away. */
import { dirname } from 'node:path';
import type { Command } from 'commander';
import { PROFILE } from '../../sandbox/holder/profile.ts';
import { isInsideView } from '../../sandbox/inside.ts';
import { COPY, copyState, HOLDER_FILE, isRestricted, PROFILE_FILE } from '../../sandbox/installed-copy.ts';
import { setupCommand } from '../../sandbox/refusals.ts';
import {
  lookAt,
  makeDirectory,
  readText,
  removeEmptyDirectory,
  removeName,
  writeNewText,
} from '../../sys/files/text-files.ts';
import { findTool, runProcess } from '../../sys/process/process.ts';
import { UserError } from '../../sys/user-error.ts';
import { quoted } from '../reference/places.ts';
import { writePieces } from '../text/output.ts';
import { UsageError } from '../usage-error.ts';

export function define(command: Command): void {
  command
    .option('--print', 'show the files and the commands, for who wants to do it by hand')
    .option('--remove', 'take away what it has put there')
    .action(setup);
}

interface Options {
  readonly print?: true;
  readonly remove?: true;
}

async function setup({ print, remove }: Options): Promise<void> {
  if (print && remove) throw new UsageError('--print and --remove exclude each other');
  if (print) return writePieces([printed()]);
  if (isInsideView()) throw new UserError('not possible inside the view', 'run it in a shell outside');
  if (process.geteuid?.() !== 0) {
    throw new UserError('this takes root', `'${setupCommand()}'; with --print it shows what it would do`);
  }
  // Others have to be able to read and run it.
  process.umask(0o022);
  if (remove) return takeAway();
  if (!isRestricted()) {
    process.stderr.write('nothing to do: this system gives user namespaces to every program\n');
    return;
  }
  if (isThere()) {
    process.stderr.write(`nothing to do: ${COPY} and ${PROFILE_FILE} are there already\n`);
    return;
  }
  putThere();
}

/** As a script for a shell. */
function printed(): string {
  return `# as root
mkdir -p -m 755 ${dirname(COPY)}
install -o root -g root -m 755 ${quoted(HOLDER_FILE)} ${COPY}
cat >${PROFILE_FILE} <<'END'
${PROFILE}END
chmod 644 ${PROFILE_FILE}
apparmor_parser --replace ${PROFILE_FILE}
`;
}

/** Loaded, too: the kernel lists the profile to root. */
function isThere(): boolean {
  const loaded = readText('/sys/kernel/security/apparmor/profiles') ?? '';
  return copyState().isFit && readText(PROFILE_FILE) === PROFILE && /^yolofs-holder /m.test(loaded);
}

function putThere(): void {
  const parser = neededParser();
  const text = readText(HOLDER_FILE);
  if (text === undefined) throw new UserError(`${HOLDER_FILE} is missing`, 'install yolofs anew');
  // Small systems have no /usr/local.
  for (const path of [dirname(dirname(dirname(COPY))), dirname(dirname(COPY)), dirname(COPY)])
    makeDirectory(path, 0o755);
  replace(COPY, text, 0o755);
  const { isFit, why } = copyState();
  if (!isFit) throw new UserError(`cannot be used: ${why}`, 'only root may be able to change it');
  replace(PROFILE_FILE, PROFILE, 0o644);
  load([parser, '--replace', PROFILE_FILE]);
  process.stderr.write(`put ${COPY} and its AppArmor profile ${PROFILE_FILE} there: 'yolofs doctor' tries it\n`);
}

function takeAway(): void {
  if (lookAt(PROFILE_FILE) !== undefined) {
    const parser = findTool('apparmor_parser');
    if (parser !== undefined) load([parser, '--remove', PROFILE_FILE]);
  }
  const found = [COPY, PROFILE_FILE].filter((path) => lookAt(path) !== undefined);
  found.forEach(removeName);
  removeEmptyDirectory(dirname(COPY));
  process.stderr.write(found.length === 0 ? 'nothing was there\n' : `removed ${found.join(' and ')}\n`);
}

function replace(path: string, text: string, mode: number): void {
  removeName(path);
  if (!writeNewText(path, text, mode)) throw new UserError(`${path} has just been made by somebody else`);
}

function neededParser(): string {
  const parser = findTool('apparmor_parser');
  if (parser === undefined) throw new UserError('apparmor_parser is missing', "install the package 'apparmor'");
  return parser;
}

function load(argv: readonly string[]): void {
  const { code, complaint } = runProcess(argv);
  if (code !== 0) throw new UserError(`apparmor_parser refuses the profile: ${complaint}`);
}
