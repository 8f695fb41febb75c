/** What only the content of a file says: whether something in it is run later. Pure, on bounded text. */
import { type BytePath, isWithin } from '../../../sys/bytes.ts';
import { cacheDirectoryOf } from '../../diff/noise.ts';

/** Who looks. */
export type Look = 'hook' | 'git-config' | 'attributes' | 'package-scripts';

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
    case 'git-config':
      return named(executingKeys(now), executingKeys(before ?? ''));
    case 'attributes':
      return named(drivers(now), drivers(before ?? ''));
    case 'package-scripts': {
      const isOthers = isInstalled(path, project);
      return named(scripts(now, isOthers), scripts(before ?? '', isOthers));
    }
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

/** Keys whose value git runs, or that lead to such; of a section with a name in quotes the last word counts. */
const EXECUTING = new RegExp(
  `^(${[
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
  ].join('|')})$`,
);
/** Of these only a value that says so: an alias with `!`, an update that is a command, a transport that runs one. */
const BY_VALUE: readonly (readonly [key: RegExp, value: RegExp])[] = [
  [/^alias\.|^submodule\..*update$/, /^["']?\s*!/],
  [/^(remote|submodule|url)\..*(url|insteadof)$/, /^["']?(ext|fd)::|^["']?-/],
  [/^core\.fsmonitor$|^pager\./, /^(?!(false|true|0|1|no|yes|off|on)?$)/i],
];

/** Keys that make git run something, with their values. */
function executingKeys(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [key, value] of settingsIn(text)) {
    if (!EXECUTING.test(key)) continue;
    const rule = BY_VALUE.find(([pattern]) => pattern.test(key));
    if (rule === undefined || rule[1].test(value)) found.set(key, `${found.get(key) ?? ''}\n${value}`);
  }
  return found;
}

/** `section.name.key` in small letters (but for the name), and the value as it is written. */
function* settingsIn(text: string): Generator<readonly [key: string, value: string], void> {
  let section = '';
  // Git passes over a byte order mark; text has its three bytes here.
  for (const whole of text
    .replace(/^\xEF\xBB\xBF/, '')
    .replace(/\\\r?\n/g, '')
    .split(/\r?\n/)) {
    let line = whole.trim();
    const head = /^\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]/.exec(line);
    if (head !== null) {
      section = `${head[1]?.toLowerCase()}${head[2] === undefined ? '' : `.${head[2]}`}`;
      // A setting may follow on the same line.
      line = line.slice(head[0].length).trim();
    }
    const setting = /^([A-Za-z][\w-]*)\s*(?:=\s*(.*))?$/.exec(line);
    if (setting !== null) yield [`${section}.${setting[1]?.toLowerCase()}`, (setting[2] ?? 'true').trim()];
  }
}

/** Attributes that choose a program, with the patterns they are for. */
function drivers(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const line of text.split(/\r?\n/)) {
    if (/^\s*#/.test(line)) continue;
    for (const [attribute] of line.matchAll(/(?<=\s)(filter|diff|merge)=[^\s]+/g)) {
      found.set(attribute, `${found.get(attribute) ?? ''}\n${line}`);
    }
  }
  return found;
}

/** Whether it is of a package that was installed, or lies in the cache of what installs: its tests are for those who write it. */
export function isInstalled(path: BytePath, project: BytePath): boolean {
  const own = isWithin(path, project) && project !== '/' ? path.slice(project.length) : path;
  return /\/(?:node_modules|site-packages)\//.test(own) || cacheDirectoryOf(path, project) !== undefined;
}

/** What `npm install` and `npm rebuild` run of it (npm's documentation, "Life Cycle Operation Order"). */
const RUN_BY_INSTALL = /^[\w-]+\.(?:pre|post)?install$/;

/**
 * Scripts and what tools run by hooks of git, each as text, those first that run without being asked for; of others' packages only
 * those.
 */
function scripts(text: string, isOthers: boolean): ReadonlyMap<string, string> {
  const value = jsonOf(text);
  // What is no JSON for us may be some for a package manager.
  if (value === undefined) return new Map(text.trim() === '' ? [] : [['not plain JSON', text]]);
  const found: (readonly [key: string, text: string])[] = [];
  for (const part of ['scripts', 'tasks', 'husky', 'simple-git-hooks', 'gitHooks', 'lint-staged']) {
    const entries = value[part];
    if (typeof entries === 'object' && entries !== null) {
      for (const [name, one] of Object.entries(entries)) {
        const key = `${part}.${name}`;
        if (!isOthers || RUN_BY_INSTALL.test(key)) found.push([key, JSON.stringify(one)]);
      }
    }
  }
  return new Map(found.sort(([a], [b]) => Number(RUN_BY_INSTALL.test(b)) - Number(RUN_BY_INSTALL.test(a))));
}

function jsonOf(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
