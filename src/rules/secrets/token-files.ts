/**
 * Files that hold a secret only sometimes: settings of a package manager, in which there may be a token; a `.pem`, which
 * may be a certificate; the state of Terraform. They are looked at when rules are read: with a secret in them they are
 * denied, else they are read freely, and what a tool writes for itself is written, too. What cannot be looked at counts
 * as one. Of a project it is what lies at its top and in directories for keys: below that there are fixtures of
 * somebody's tests, and nobody walks a tree for rules.
 */
import { basename } from 'node:path';
import { SystemError } from '../../sys/errno.ts';
import { lookAt, namesIn, readStart } from '../../sys/files/text-files.ts';
import { atEveryHome } from '../../sys/host/tool-homes.ts';

/** Below the home directory: settings, with a token or without. */
const OF_HOME = atEveryHome([
  ...['.npmrc', '.config/npm/npmrc', '.config/pnpm/rc', '.yarnrc', '.yarnrc.yml', '.bunfig.toml'],
  ...['.config/pip/pip.conf', '.pip/pip.conf', '.config/uv/uv.toml', '.condarc'],
  ...['.cargo/config', '.cargo/config.toml', '.bundle/config'],
  ...['.cabal/config', '.config/cabal/config', '.Rprofile', '.Renviron', '.terraformrc'],
  ...['.m2/settings.xml', '.gradle/gradle.properties', '.nuget/NuGet/NuGet.Config', '.config/NuGet/NuGet.Config'],
]);

/** Below the home directory: what a tool writes for itself at its start, and has a session or a key in it once somebody has logged in. */
const KEPT = [
  ...['.expo/state.json', '.pm2/module_conf.json', '.config/hatch/config.toml'],
  '.config/configstore/firebase-tools.json',
];
/** Below the home directory: what a person's programs have put out or been told, which is open only where there is none yet. */
const OUTPUT = ['.pm2/logs', '.cabal/config', '.config/cabal/config', '.prefect', '.config/io.datasette.llm'];
/** Words of `KEPT`: how they write a session is their own. */
const OF_SESSIONS = /secret|session|token|auth|passw|key/i;

/** Below the project: settings, likewise. */
const OF_PROJECT = [
  '.npmrc',
  '.yarnrc',
  '.yarnrc.yml',
  'bunfig.toml',
  'pip.conf',
  '.envrc',
  '.cargo/config.toml',
  '.bundle/config',
];

const SETTINGS: ReadonlySet<string> = new Set([...OF_HOME, ...OF_PROJECT].map((path) => basename(path)));

/** Directories of a project, its top included, in which names say that there may be a secret. */
const WITH_SECRETS = [
  '',
  'cert',
  'certs',
  'certificates',
  'credentials',
  'key',
  'keys',
  'pki',
  'private',
  'secrets',
  'ssl',
  'tls',
];

/** What is to be looked at there. */
const MAY_BE = new RegExp(
  [
    '\\.(?:pem|key|env|tfvars|tfstate|tfstate\\.backup)$',
    '^id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?$',
    '^(?:.*service.?account.*|client_secret.*|.*firebase-adminsdk.*|credentials?|secrets?)\\.(?:json|ya?ml|toml)$',
    '^(?:kubeconfig|local\\.settings\\.json|\\.vault.?pass.*)$',
  ].join('|'),
  'i',
);
/** Stores of keys, which nobody can look into. */
const STORE = /\.(?:p12|pfx|ppk|kdbx?)$/i;

const LONGEST = 256 * 1024;
const MOST_LOOKED_AT = 200;

/** A value, and not the name of a variable that has it. */
const VALUE = `["']?[ \\t]*[=:][ \\t]*["']?[^\\s"'$%<#{[]`;
const PRIVATE_KEY = /-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY/;
/** As their issuers have them begin: Anthropic, OpenAI, GitHub, GitLab, npm, Slack, AWS, Google, Hugging Face. */
const TOKEN = new RegExp(
  [
    '\\bsk-(?:ant|proj)-[\\w-]{16}',
    '\\bgh[pousr]_[A-Za-z0-9]{36}',
    '\\bgithub_pat_\\w{40}',
    '\\bglpat-[\\w-]{20}',
    '\\bnpm_[A-Za-z0-9]{36}',
    '\\bxox[abprs]-[\\w-]{16}',
    '\\bA[KS]IA[0-9A-Z]{16}\\b',
    '\\bAIza[\\w-]{35}',
    '\\bhf_[A-Za-z0-9]{30}',
    'aws_secret_access_key[ \\t]*[=:][ \\t]*["\']?[A-Za-z0-9/+]{30}',
  ].join('|'),
);
/** Bounded pieces only: what they are held against may be somebody's attempt to keep us busy. */
const SECRET = new RegExp(
  [
    `(?:_authToken|_auth|_password|npmAuthToken|npmAuthIdent)${VALUE}`,
    `(?:password|passwd|passphrase|secret|secret[_-]key|access[_-]key|api[_-]?key|token|_pat)${VALUE}`,
    `^BUNDLE_\\w{1,100}:[ \\t]*["']?[^\\s"'/:]{1,200}:[^\\s"'/]`,
    '<(?:password|passphrase|privateKey)>[ \\t]*[^\\s<$]',
    'key="(?:ClearText)?Password"',
    '[a-z]://[^\\s/@:]{0,200}:[^\\s/@$%]{1,200}@',
    '-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY',
  ].join('|'),
  'im',
);

interface Where {
  readonly home: string;
  readonly project: string;
}

/** Absolute paths. */
export interface TokenFiles {
  readonly secret: readonly string[];
  /** Below the home directory, where other files are asked about. */
  readonly harmless: readonly string[];
  /** Likewise, and tools write them. */
  readonly kept: readonly string[];
}

/** Those that are known by name: what comes into them later counts when the rules are read anew. */
export function tokenFiles({ home, project }: Where): readonly string[] {
  return [...[...OF_HOME, ...KEPT].map((name) => below(home, name)), ...OF_PROJECT.map((name) => below(project, name))];
}

/** Looks at all of them. */
export function lookAtTokenFiles(where: Where): TokenFiles {
  const kept = new Set(KEPT.map((name) => below(where.home, name)));
  const secret = new Set(tokenFiles(where).filter((path) => holds(kept.has(path) ? OF_SESSIONS : SECRET, path)));
  const settings = OF_HOME.map((name) => below(where.home, name));
  const isHarmless = (path: string): boolean => !secret.has(path);
  return {
    secret: [...secret, ...secretsOf(where.project)],
    harmless: settings.filter(isHarmless),
    kept: [...[...kept].filter(isHarmless), ...OUTPUT.map((name) => below(where.home, name)).filter(isMissing)],
  };
}

/** The same of a file by its path and its text, wherever it is; a private key, or a token that is known by its beginning, is one in any. */
export function looksSecret(path: string, text: string): boolean {
  const name = basename(path);
  const mayBe = MAY_BE.test(name) || SETTINGS.has(name);
  return STORE.test(name) || (mayBe && SECRET.test(text)) || PRIVATE_KEY.test(text) || TOKEN.test(text);
}

function secretsOf(project: string): string[] {
  const paths = WITH_SECRETS.flatMap((name) => {
    const dir = name === '' ? project : below(project, name);
    return listed(dir).map((one) => ({ one, path: below(dir, one) }));
  });
  const stores = paths.filter(({ one }) => STORE.test(one)).map(({ path }) => path);
  const others = paths.filter(({ one }) => MAY_BE.test(one)).slice(0, MOST_LOOKED_AT);
  return [...stores, ...others.map(({ path }) => path).filter((path) => holds(SECRET, path))];
}

/** One that is closed to us, or too long, may hold anything. */
function holds(secret: RegExp, path: string): boolean {
  try {
    const text = readStart(path, LONGEST);
    return text !== undefined && (text.length >= LONGEST || secret.test(text));
  } catch (error) {
    if (error instanceof SystemError) return true;
    throw error;
  }
}

/** What cannot be looked at may be there. */
function isMissing(path: string): boolean {
  try {
    return lookAt(path) === undefined;
  } catch (error) {
    if (error instanceof SystemError) return false;
    throw error;
  }
}

function listed(dir: string): readonly string[] {
  try {
    return namesIn(dir);
  } catch (error) {
    if (error instanceof SystemError) return [];
    throw error;
  }
}

function below(dir: string, name: string): string {
  return dir === '/' ? `/${name}` : `${dir}/${name}`;
}
