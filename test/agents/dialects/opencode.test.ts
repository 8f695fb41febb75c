import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { opencode } from '../../../src/agents/dialects/opencode.ts';
import { askDialect, PROGRAM, PROJECT } from './ask-dialect.ts';

/** The `input` of OpenCode 1.18.33's hooks, with what our plugin adds. */
const IDS = { sessionID: 'ses_dff0b1bccffeUAERMhNyJErhG8', callID: 'call_1_0', directory: PROJECT };
const ARGS = { command: 'npm test', description: 'd', timeout: 5000, workdir: 'sub' };

function call(phase: string, tool: unknown, args: unknown, over: object = {}): object {
  return { phase, tool, ...IDS, args, ...over };
}

describe('the dialect of our plugin for OpenCode', () => {
  test('gives the rewritten arguments, all of them', () => {
    const args = { ...ARGS, command: `'${PROGRAM}' run -c 'npm test'` };
    assert.deepEqual(askDialect(opencode, call('before', 'bash', ARGS)).json, { args });
  });

  test('takes the command to run in the directory that it names', () => {
    const event = opencode.parse(JSON.stringify(call('before', 'bash', ARGS)));
    assert.equal(event.kind === 'shell' && event.cwd, `${PROJECT}/sub`);
  });

  test('denies the file tools with a reason', () => {
    for (const tool of ['write', 'edit', 'patch', 'apply_patch', 'multiedit']) {
      const { json } = askDialect(opencode, call('before', tool, { filePath: `${PROJECT}/a.ts` }));
      assert.match(String(json.deny), new RegExp(`^yolofs: ${tool} .*shell`));
    }
    assert.match(
      String(askDialect(opencode, call('before', 'apply_patch', { patchText: '*** …' })).json.deny),
      /shell/,
    );
  });

  test('gives the summary for the end of the output', () => {
    const event = opencode.parse(JSON.stringify(call('after', 'bash', ARGS)));
    assert.deepEqual(event, {
      kind: 'done',
      calls: [{ tool: 'bash', isShell: true, call: IDS.callID, command: 'npm test' }],
      cwd: `${PROJECT}/sub`,
      failed: false,
      session: IDS.sessionID,
    });
    const { stdout } = opencode.render(event, { kind: 'tell', text: '1 added', loud: 'look' });
    assert.deepEqual(JSON.parse(stdout), { append: 'look\n1 added' });
  });

  test('says nothing to what does not concern it, and denies what it cannot understand', () => {
    for (const tool of ['read', 'glob', 'task', 'webfetch']) {
      assert.deepEqual(askDialect(opencode, call('before', tool, {})).json, {});
    }
    const broken = [
      ...['', '{', 'null', '[]', '\u0000'],
      call('during', 'bash', ARGS),
      call('before', 'bash', { command: null }),
      call('before', 'bash', undefined),
      call('before', undefined, ARGS),
      call('before', 'bash', ARGS, { directory: undefined }),
    ];
    for (const input of broken) {
      assert.match(String(askDialect(opencode, input).json.deny), /cannot stage the call/, JSON.stringify(input));
    }
    assert.deepEqual(askDialect(opencode, call('after', 'bash', ARGS, { directory: undefined })).json, {});
  });
});
