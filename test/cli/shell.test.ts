/** `yolofs shell`: each command that was typed has its snapshot, whichever shell it is, and the person's start-up files count. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ordinary } from '../support/accounts.ts';
import { converse } from '../support/conversation.ts';
import { has } from '../support/need.ts';
import { giveTo, MAIN, session } from '../support/session.ts';

/** What a person has in the start-up file: a prompt and something of their own before each one. */
const SHELLS = {
  bash: { file: '.bashrc', text: `PS1='mine> '; PROMPT_COMMAND='echo before:$?'; alias hi='echo hello'\n` },
  zsh: { file: '.zshrc', text: `PS1='mine> '; precmd() { echo before:$? }; alias hi='echo hello'\n` },
  fish: {
    file: '.config/fish/config.fish',
    text: `function fish_prompt; echo -n before:$status' mine> '; end; function hi; echo hello; end\n`,
  },
} as const;

for (const [name, { file, text }] of Object.entries(SHELLS)) {
  test(`N10: each command typed in ${name} has its snapshot, and the person's own start-up file counts`, async (t) => {
    if (!has(t, ['script', name])) return;
    const account = ordinary();
    const s = await session(t, { account });
    await s.native(['mkdir', '-p', join(s.home, '.config/fish')]);
    writeFileSync(join(s.home, file), text);
    await giveTo(account, s.home);
    const env = { HOME: s.home, SHELL: `/usr/bin/${name}`, YOLOFS_TEST_ROOT: s.root };
    const { shown } = await converse(
      `'${process.execPath}' '${MAIN}' shell`,
      [
        [/mine> /, 'hi > "one \\\\ two"; echo did-1\n'],
        [/did-1[\s\S]*before:0[\s\S]*mine> /, 'echo did-2; false\n'],
        [/did-2[\s\S]*before:1[\s\S]*mine> /, 'rm hello.txt; echo did-3\n'],
        [/did-3[\s\S]*before:0[\s\S]*mine> /, 'exit\n'],
        [/\[k\] /, 'k\n'],
      ],
      { cwd: s.project, account, env },
    );
    const log = JSON.parse(await s.succeed(['log', '--json'])) as { generation: number; command?: string }[];
    // fish writes its history after each command, which is a change, too.
    const commands = log.flatMap(({ command }) => (command !== undefined && /did-[13]/.test(command) ? [command] : []));
    assert.deepEqual(commands, ['hi > "one \\\\ two"; echo did-1', 'rm hello.txt; echo did-3'], shown);
    const of = (command = ''): string => String(log.find((one) => one.command === command)?.generation);
    assert.match(await s.succeed(['status', of(commands[0])]), /^ {2}one \\+ two$/m);
    assert.match(await s.succeed(['status', of(commands[1])]), /^Deleted \(1\)\n {2}hello\.txt$/m);
    assert.match(shown, /\(yolofs\) [\s\S]*mine> /);
  });
}
