/** What only the content of a file says: whether something in it is run later. Pure, on bounded text. */
import { type BytePath, isWithin } from '../../../sys/bytes.ts';
import { sha256 } from '../../../sys/text/sha256.ts';
import { cacheDirectoryOf } from '../../diff/noise.ts';
import { jsonManifest, tomlManifest } from './manifests.ts';

/** Settings of version control. */
type SettingsLook = 'git-config' | 'hg-config' | 'svn-config';

/** Who looks. */
export type Look = SettingsLook | 'hook' | 'attributes' | 'package-scripts' | 'toml-manifest';

/** A file as it is and as it was; undefined: it is too large, or cannot be read. */
export interface Looked {
  readonly path: BytePath;
  readonly project: BytePath;
  readonly now: string | undefined;
  /** Empty where there was none. */
  readonly before: string | undefined;
}

const UNREAD = 'too large or not readable, so nobody has looked into it';

/** What in it is run, the most telling first; undefined: nothing, none: no more than the row says. */
export function lookInto(look: Look, { path, project, now, before }: Looked): readonly string[] | undefined {
  if (look === 'hook') return isHook(path) ? [] : undefined;
  // Any file may be called `config`; one that is a repository's is small.
  if (now === undefined) return [UNREAD];
  switch (look) {
    case 'attributes':
      return named(drivers(now), drivers(before ?? ''));
    case 'package-scripts': {
      const isOthers = isInstalled(path, project);
      return named(jsonManifest(now, isOthers), jsonManifest(before ?? '', isOthers));
    }
    case 'toml-manifest':
      return isInstalled(path, project) ? undefined : named(tomlManifest(now), tomlManifest(before ?? ''));
    default:
      return named(executingKeys(look, now), executingKeys(look, before ?? ''));
  }
}

/** What git's templates bring along is not run. */
function isHook(path: string): boolean {
  return !path.endsWith('.sample') && /\.git\/|\.githooks\/|\.git-hooks\/|\.git$|git-core\/templates/.test(path);
}

/** Those that are new or other than before. */
function named(now: ReadonlyMap<string, string>, before: ReadonlyMap<string, string>): readonly string[] | undefined {
  const news = [...now].filter(([name, value]) => before.get(name) !== value).map(([name]) => name);
  return news.length === 0 ? undefined : news;
}

/** Keys whose value is run, or that lead to such; of a section with a name in quotes the last word counts. */
const EXECUTING: Readonly<Record<SettingsLook, RegExp>> = {
  'git-config': anyOf([
    'core\\.(fsmonitor|hookspath|sshcommand|gitproxy|pager|editor|askpass|attributesfile|worktree|alternaterefscommand)',
    '(diff|merge|filter|hook)\\..*(external|textconv|command|driver|clean|smudge|process)',
    '(sequence|interactive)\\.(editor|difffilter)',
    '(merge|diff|gui)tool\\..*(cmd|path)',
    '(alias|pager)\\..+',
    'include(if)?\\..*path',
    'credential\\..*helper',
    'gpg\\..*(program|command)',
    '(submodule|remote|url)\\..*(update|url|insteadof|uploadpack|receivepack|vcs)',
    'protocol\\.ext\\.allow',
    'uploadpack\\.packobjectshook',
    '(trailer|browser|man)\\..*(command|cmd|path)',
    '(web|instaweb)\\.(browser|httpd)',
    'sendemail\\..*(cmd|smtpserver)',
    'init\\.templatedir',
  ]),
  'hg-config': anyOf([
    '(hooks|extensions|extdiff|diff-tools|encode|decode|alias)\\..+',
    'merge-tools\\..*\\.executable',
    'fix\\..*:command',
    'ui\\.(editor|merge|ssh|remotecmd|debugger)',
    'pager\\.pager',
    'email\\.method',
    '%include',
  ]),
  'svn-config': anyOf(['(helpers|tunnels)\\..+']),
};

/** Of git's and Mercurial's only a value that says so: an alias with `!`, an update that is a command, a transport that runs one. */
const BY_VALUE: readonly (readonly [key: RegExp, value: RegExp])[] = [
  [/^alias\.|^submodule\..*update$/, /^["']?\s*!/],
  [/^(remote|submodule|url)\..*(url|insteadof)$/, /^["']?(ext|fd)::|^["']?-/],
  [/^core\.fsmonitor$|^pager\./, /^(?!(false|true|0|1|no|yes|off|on)?$)/i],
];

function anyOf(keys: readonly string[]): RegExp {
  return new RegExp(`^(${keys.join('|')})$`);
}

/** Keys that make something run, with their values. */
function executingKeys(look: SettingsLook, text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const { key, value } of settingsIn(text)) {
    if (!EXECUTING[look].test(key)) continue;
    const rule = BY_VALUE.find(([pattern]) => pattern.test(key));
    if (rule === undefined || rule[1].test(value)) found.set(key, `${found.get(key) ?? ''}\n${value}`);
  }
  return found;
}

/** Each key has its section's name before it; those of a file that share a longer beginning are told as one. */
const MOST_OF_SECTION = 200;

/** `section.name.key` in small letters (but for the name), and the value as it is written, with the lines that it goes on in. */
function settingsIn(text: string): readonly { readonly key: string; readonly value: string }[] {
  const found: { key: string; value: string }[] = [];
  let section = '';
  // Git passes over a byte order mark; text has its three bytes here.
  for (const whole of text
    .replace(/^\xEF\xBB\xBF/, '')
    .replace(/\\\r?\n/g, '')
    .split(/\r?\n/)) {
    let line = whole.trim();
    if (/^[#;]/.test(line)) continue;
    const head = /^\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]/.exec(line);
    if (head !== null) {
      section = `${head[1]?.toLowerCase()}${head[2] === undefined ? '' : `.${head[2]}`}`.slice(0, MOST_OF_SECTION);
      // A setting may follow on the same line.
      line = line.slice(head[0].length).trim();
    }
    const setting = /^([A-Za-z][\w.:-]*)\s*(?:=\s*(.*))?$/.exec(line);
    const last = found.at(-1);
    if (setting !== null)
      found.push({ key: `${section}.${setting[1]?.toLowerCase()}`, value: (setting[2] ?? 'true').trim() });
    else if (line.startsWith('%include')) found.push({ key: '%include', value: line });
    else if (last !== undefined && head === null && line !== '') last.value += `\n${line}`;
  }
  return found;
}

/** Attributes that choose a program, with a digest of the lines that they are in. */
function drivers(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const line of text.split(/\r?\n/)) {
    if (/^\s*#/.test(line)) continue;
    const attributes = new Set(
      [...line.matchAll(/(?<=\s)(?:filter|diff|merge)=[^\s]+/g)].map(([attribute]) => attribute),
    );
    const digest = attributes.size === 0 ? '' : sha256(line);
    for (const attribute of attributes) found.set(attribute, `${found.get(attribute) ?? ''}${digest}`);
  }
  return found;
}

/** Whether it is of a package that was installed, or lies in the cache of what installs: its tests are for those who write it. */
export function isInstalled(path: BytePath, project: BytePath): boolean {
  const own = isWithin(path, project) && project !== '/' ? path.slice(project.length) : path;
  return /\/(?:node_modules|site-packages)\//.test(own) || cacheDirectoryOf(path, project) !== undefined;
}
