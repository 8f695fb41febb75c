/** Completion: each shell loads what is printed for it, and completes commands, their options and the words for arguments. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { COMMANDS } from '../../../src/cli/command-table.ts';
import { bashCompletion } from '../../../src/cli/reference/bash.ts';
import { declared, everyOne } from '../../../src/cli/reference/declared.ts';
import { fishCompletion } from '../../../src/cli/reference/fish.ts';
import { manPages } from '../../../src/cli/reference/man.ts';
import { zshCompletion } from '../../../src/cli/reference/zsh.ts';
import { exec, succeed } from '../../support/exec.ts';
import { has } from '../../support/need.ts';
import { MAIN } from '../../support/session.ts';

const LINES = [
  'yolofs sta',
  'yolofs rule ',
  'yolofs rule list --j',
  'yolofs --session /tmp rule ex',
  'yolo install cl',
];
const FOUND = ['status', 'explain list set unset', '--json', 'explain', 'claude'];

/** What a shell's own script prints for the words that it finds: a line for each of `LINES`. */
async function completed(t: TestContext, argv: readonly string[], script: string, text: string): Promise<string[]> {
  const home = mkdtempSync('/var/tmp/yolofs-test-completion-');
  t.after(() => rmSync(home, { recursive: true }));
  writeFileSync(join(home, 'completion'), text);
  const env = { HOME: home, XDG_CONFIG_HOME: home, XDG_DATA_HOME: home, ZDOTDIR: home };
  const printed = await succeed([...argv, '-c', script], { cwd: home, env });
  return printed
    .trimEnd()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).sort().join(' '));
}

test('bash completes commands, options and words', async (t) => {
  if (!has(t, ['bash'])) return;
  const ask = LINES.map((line) => `ask ${line.replace(/ $/, " ''")}`).join('\n');
  const script = `set -eu; source ./completion; complete -p yolofs yolo >&2
ask() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _yolofs; echo "\${COMPREPLY[@]}"; }
${ask}`;
  const text = bashCompletion(await declared(COMMANDS));
  assert.deepEqual(await completed(t, ['bash', '--norc'], script, text), FOUND);
});

test('zsh completes commands, options and words', async (t) => {
  if (!has(t, ['zsh'])) return;
  const ask = LINES.map((line) => `ask ${line.replace(/ $/, " ''")}`).join('\n');
  // What the function hands to zsh, cut to what begins as the word does.
  const script = `autoload -Uz compinit; compinit -u -d $HOME/dump; source ./completion
[[ $_comps[yolofs] == _yolofs && $_comps[yolo] == _yolofs ]] || exit 3
_describe() { local all=("\${(@P)2%%:*}"); print -r -- \${(M)all:#\${words[CURRENT]}*} }
_files() { }
ask() { words=("$@"); CURRENT=$#; _yolofs }
${ask}`;
  const text = zshCompletion(await declared(COMMANDS));
  assert.deepEqual(await completed(t, ['zsh', '-f'], script, text), FOUND);
});

test('fish completes commands, options and words', async (t) => {
  if (!has(t, ['fish'])) return;
  const script = `source ./completion
${LINES.map((line) => `echo (complete -C '${line}' | string replace -r '\\t.*' '')`).join('\n')}`;
  const text = fishCompletion(await declared(COMMANDS));
  assert.deepEqual(await completed(t, ['fish', '--no-config'], script, text), FOUND);
});

test('yolofs completion prints what it is made of, and knows no other shell', async () => {
  const program = [process.execPath, MAIN, 'completion'];
  assert.equal(await succeed([...program, 'bash']), bashCompletion(await declared(COMMANDS)));
  const { code, stderr } = await exec([...program, 'tcsh']);
  assert.deepEqual([code, stderr], [2, 'yolofs: completion: unknown shell: tcsh\nhint: there are bash, zsh, fish\n']);
});

test('there is a manual page of each command, with all that it declares', async () => {
  const program = await declared(COMMANDS);
  const pages = new Map(manPages(program, '1.2.3').map(({ file, text }) => [file, text]));
  for (const command of everyOne(program)) {
    const text = pages.get(`${['yolofs', ...command.path].join('-')}.1`) ?? '';
    assert.match(
      text,
      /^\.TH YOLOFS\S* 1 "" "yolofs 1\.2\.3" "yolofs"\n\.SH NAME\nyolofs\S* \\- .+\n\.SH SYNOPSIS\n\.B yolofs/,
    );
    const flags = command.options.flatMap((option) => option.flags).map((flag) => flag.replaceAll('-', '\\-'));
    for (const flag of flags) assert.ok(text.includes(`${flag}`), `${flag} in ${text}`);
  }
  assert.match(pages.get('yolofs-rule-set.1') ?? '', /^\.TP\n\.I state\nallow, /m);
});
