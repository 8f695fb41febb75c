/**
 * Variables that hold secrets, by their names: what a person's shell has for other programs is none of the view's business. What an agent
 * itself needs is in its profile; what else shall pass, the person says (`pass_env`).
 */

type Environment = Readonly<Record<string, string | undefined>>;

/** How names of secrets end; alone or behind an underscore. In any case: npm and git write theirs in small letters. */
const ENDINGS = [
  'TOKEN|AUTHTOKEN|PAT|JWT',
  'SECRET|PASSWORD|PASSWD|PASSPHRASE|AUTH|CREDS',
  'API_?KEY|ACCESS_KEY|SECRET_KEY|PRIVATE_KEY|MASTER_KEY|ENCRYPTION_KEY|SIGNING_KEY|ACCOUNT_KEY|STORAGE_KEY|AUTH_?KEY|LICENSE_KEY|SERVICE_ROLE_KEY|SA_KEY|APP_KEY|DEPLOY_KEY',
  'CONNECTION_STRING|WEBHOOK_URL',
];
const BY_ENDING = new RegExp(`(?:^|_)(?:${ENDINGS.join('|')})$`, 'i');

/** Others. An id that is of no use without its secret goes with it: half a pair is an error to most clients. */
const NAMES: ReadonlySet<string> = new Set([
  'AWS_ACCESS_KEY_ID',
  'AWS_SECURITY_TOKEN',
  'BW_SESSION',
  'DOCKER_AUTH_CONFIG',
  'GOOGLE_CREDENTIALS',
  'MYSQL_PWD',
  'PGPASSWORD',
  'SECRET_KEY_BASE',
  'SSHPASS',
]);
const BEGINNINGS = /^OP_SESSION_/;

/** What a desktop gives to each program that it starts. */
const HARMLESS = 'XDG_ACTIVATION_TOKEN';

/** An address with a password in it, as of a database. A proxy's stays, for without it there is no network. */
const WITH_PASSWORD = /^[a-z][a-z0-9+.-]*:\/\/[^\s/?#@]*:[^\s/?#@]+@/i;
const PROXY = /(?:^|_)PROXY$/i;

/** The variables of `env` that hold secrets, but for what passes: names, with a `*` at the end all that begin so. Sorted. */
export function secretVariables(env: Environment, passes: readonly string[]): readonly string[] {
  return Object.keys(env)
    .filter((name) => isSecret(name, env[name] ?? '') && !passes.some((one) => isNamed(name, one)))
    .sort();
}

function isSecret(name: string, value: string): boolean {
  // What is empty says that there is none.
  if (value === '' || name === HARMLESS) return false;
  if (NAMES.has(name) || BEGINNINGS.test(name) || BY_ENDING.test(name)) return true;
  return WITH_PASSWORD.test(value) && !PROXY.test(name);
}

/** Whether a name is the one that passes, or begins as it does. */
export function isNamed(name: string, pass: string): boolean {
  return pass.endsWith('*') ? name.startsWith(pass.slice(0, -1)) : name === pass;
}
