import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { parseFrame } from '../../src/agents/claude-frame.ts';
import { fc } from '../random/fast-check.ts';
import { CASES } from './quoting-commands.ts';

const BEGIN =
  'source /home/dev/.claude/shell-snapshots/snapshot-bash-1795315012624-i9bj39.sh 2>/dev/null || true && { \\builtin shopt -u extglob || \\builtin setopt NO_EXTENDED_GLOB; } >/dev/null 2>&1 || true && ';
const END = ' < /dev/null && pwd -P >| /tmp/claude-2505-cwd';

/** As Claude Code 2.1.329 quotes. */
function quote(command: string): string {
  return `'${command.replaceAll("'", `'"'"'`)}'`;
}

test('parseFrame() finds the command that the Bash tool was given', () => {
  for (const { command } of CASES) {
    assert.deepEqual(parseFrame(`${BEGIN}eval ${quote(command)}${END}`), {
      shell: 'bash',
      command,
      cwdFile: '/tmp/claude-2505-cwd',
    });
  }
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (command) =>
      assert.equal(parseFrame(`${BEGIN}eval ${quote(command)}${END}`)?.command, command),
    ),
  );
});

test('parseFrame() needs only one end of the frame, and takes nothing else for one', () => {
  assert.equal(parseFrame(`eval 'ls'${END}`)?.command, 'ls');
  assert.equal(parseFrame(`${BEGIN}eval ls`)?.command, 'ls');
  assert.equal(parseFrame(`${BEGIN.replace('bash-', 'zsh-')}eval 'ls'${END}`)?.shell, 'zsh');
  for (const text of ['', 'npx -y server', "eval 'ls'", '/opt/hook.sh --event Stop', `echo '${BEGIN}'`]) {
    assert.equal(parseFrame(text), undefined, text);
  }
});

test('no command makes its frame look like none', () => {
  for (const command of [`'; pwd #`, "ls' < /dev/null", `x\n && pwd -P >| /x-cwd`, "eval 'other'", '']) {
    const text = `${BEGIN}eval ${quote(command)}${END}`;
    assert.equal(parseFrame(text)?.command, command);
    assert.equal(spawnSync('bash', ['-n', '-c', text]).status, 0);
  }
});
