/** What must not be in a bug report: names of people's files, who they are, secrets. */
import { randomHex, sha256Hex } from '../../sys/crypto-lazy.ts';
import { homeDirectory } from '../../sys/host/home.ts';

/** Names that are the same on every host, or ours. */
const PUBLIC = new Set(
  `bin boot dev etc fuse home lib lib64 local log media mnt null opt perl proc root run sbin self share shm sources srv state sys tmp
  usr user var yolofs .yolofs .yolofs.toml .config .local .cache .claude .codex .gemini .copilot .cursor settings.json config.toml
  config.json hooks.json mcp.json hooks node node_modules dist src journal files trace`.split(/\s+/),
);

/** Stands for the same name everywhere in one report, and for another one in the next. */
export type Mask = (text: string) => string;

/** Shows paths below the home directory as `~`, and all else as it is. */
export function maskHome(home = homeDirectory()): Mask {
  const pattern = new RegExp(`${home.replace(/[^\w/]/g, '\\$&')}(?=/|$|[^\\w.-])`, 'g');
  return (text) => withoutSecrets(home === '/' ? text : text.replace(pattern, '~'));
}

/** As `maskHome`, and every name in a path that is not the same on every host is a hash. */
export function maskNames(home = homeDirectory(), salt = randomHex(16)): Mask {
  const atHome = maskHome(home);
  const maskName = (name: string): string =>
    name === '' || name === '~' || PUBLIC.has(name) ? name : `<${sha256Hex(salt + name).slice(0, 8)}>`;
  const maskPath = (path: string): string => path.split('/').map(maskName).join('/');
  return (text) => atHome(text).replace(/[^\s'"`,;:()]*\/[^\s'"`,;:()]*/g, maskPath);
}

/** Of a store the token, of an address the password. */
function withoutSecrets(text: string): string {
  return text.replace(/[0-9a-f]{32}/g, '…').replace(/\/\/[^/@\s]+@/g, '//…@');
}
