/** Which variables hold secrets. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { secretVariables } from '../../src/sandbox/environment/secret-variables.ts';

const SECRETS = [
  ...['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN', 'AWS_BEARER_TOKEN_BEDROCK_API_KEY'],
  ...['GITHUB_TOKEN', 'GH_TOKEN', 'GITHUB_PAT', 'GITLAB_TOKEN', 'CI_JOB_TOKEN', 'GH_ENTERPRISE_TOKEN'],
  ...['NPM_TOKEN', 'NODE_AUTH_TOKEN', 'npm_config__auth', 'npm_config_//registry.example/:_authToken'],
  ...['UV_PUBLISH_TOKEN', 'TWINE_PASSWORD', 'CARGO_REGISTRY_TOKEN', 'COMPOSER_AUTH', 'DOCKER_AUTH_CONFIG'],
  ...['OPENAI_API_KEY', 'ANTHROPIC_API_KEY', 'GEMINI_API_KEY', 'GOOGLE_API_KEY', 'HF_TOKEN', 'OPENROUTER_API_KEY'],
  ...['AZURE_CLIENT_SECRET', 'AZURE_STORAGE_KEY', 'AZURE_STORAGE_CONNECTION_STRING', 'AZURE_OPENAI_API_KEY'],
  ...['PGPASSWORD', 'MYSQL_PWD', 'REDISCLI_AUTH', 'VAULT_TOKEN', 'RESTIC_PASSWORD', 'BORG_PASSPHRASE', 'SSHPASS'],
  ...['SLACK_WEBHOOK_URL', 'STRIPE_SECRET_KEY', 'RAILS_MASTER_KEY', 'SUPABASE_SERVICE_ROLE_KEY', 'TS_AUTHKEY'],
  ...['OP_SESSION_my', 'BW_SESSION', 'PASSWORD', 'TOKEN', 'SECRET_KEY_BASE', 'DIGITALOCEAN_ACCESS_TOKEN'],
];

const HARMLESS = [
  ...['PATH', 'HOME', 'PWD', 'OLDPWD', 'INIT_CWD', 'LANG', 'TERM', 'EDITOR', 'AWS_PROFILE', 'AWS_REGION'],
  ...['MAX_TOKENS', 'CLAUDE_CODE_MAX_OUTPUT_TOKENS', 'TOKENIZERS_PARALLELISM', 'KEYBOARD', 'SSH_ASKPASS', 'PATTERN'],
  ...['XDG_ACTIVATION_TOKEN', 'AZURE_SUBSCRIPTION_ID', 'GOOGLE_APPLICATION_CREDENTIALS', 'npm_config_registry'],
  ...['GIT_AUTHOR_NAME', 'GITHUB_ACTIONS', 'COMPAT', 'PASSWORD_STORE_DIR', 'VAULT_ADDR', 'PGHOST', 'MONKEY'],
];

test('secretVariables() finds the names under which tools keep secrets, and no others', () => {
  const env = Object.fromEntries([...SECRETS, ...HARMLESS].map((name) => [name, 'x']));
  assert.deepEqual(secretVariables(env, []), [...SECRETS].sort());
  assert.deepEqual(secretVariables({ GITHUB_TOKEN: '' }, []), [], 'what is empty says that there is none');
});

test('secretVariables() finds addresses with a password in them, but for the proxy', () => {
  const env = {
    DATABASE_URL: 'postgres://ada:secret@db.example/x',
    REDIS: 'redis://:secret@cache:6379',
    PIP_INDEX_URL: 'https://user:pw@pypi.example/simple',
    HTTPS_PROXY: 'http://ada:secret@proxy:3128',
    http_proxy: 'http://ada:secret@proxy:3128',
    PLAIN_URL: 'postgres://db.example/x',
    REMOTE: 'ssh://git@github.com:22/a/b',
    TEXT: 'see https://example.org/a:b@c',
  };
  assert.deepEqual(secretVariables(env, []), ['DATABASE_URL', 'PIP_INDEX_URL', 'REDIS']);
});

test('secretVariables() lets pass what is named, or begins as it says', () => {
  const env = {
    GH_TOKEN: 'x',
    GH_TOKEN_TWO_TOKEN: 'x',
    ANTHROPIC_API_KEY: 'x',
    ANTHROPIC_AUTH_TOKEN: 'x',
    A_TOKEN: 'x',
  };
  assert.deepEqual(secretVariables(env, ['GH_TOKEN', 'ANTHROPIC_*']), ['A_TOKEN', 'GH_TOKEN_TWO_TOKEN']);
});
