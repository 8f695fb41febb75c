/**
 * Damaged events: fields of any type and value, and texts cut and spliced. No dialect throws, each answer is JSON, and a call
 * that runs a command or writes a file is rewritten or denied, never let through. What such a call is, the test says itself.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { claude } from '../../../src/agents/dialects/claude.ts';
import { copilot } from '../../../src/agents/dialects/copilot.ts';
import { cursor } from '../../../src/agents/dialects/cursor.ts';
import type { Dialect } from '../../../src/agents/dialects/dialect.ts';
import { gemini } from '../../../src/agents/dialects/gemini.ts';
import { opencode } from '../../../src/agents/dialects/opencode.ts';
import { qwen } from '../../../src/agents/dialects/qwen.ts';
import { fc } from '../../random/fast-check.ts';
import { runs } from '../../random/seed.ts';
import { askDialect, PROJECT } from './ask-dialect.ts';

type Json = Record<string, unknown>;

interface Subject {
  readonly dialect: Dialect;
  readonly events: readonly Json[];
  /** Whether a real client that sends this is about to run a command or to write a file. */
  readonly isCall: (event: Json) => boolean;
  /** The answer with the command of a rewrite; null for a denial, undefined when it lets the call pass. */
  readonly commandOf: (answer: Json) => unknown;
}

const INPUT = { command: "echo 'hi' > a", description: 'd', dir_path: 'sub', workdir: 'sub', working_directory: 'sub' };
const FILE = { path: '/x', file_path: 'x', filePath: 'x', content: 'y' };

const SUBJECTS: readonly Subject[] = [
  {
    // As Claude Code 2.1.329 has sent them.
    dialect: claude,
    events: ['Bash', 'Monitor', 'Write', 'Edit', 'NotebookEdit', 'PowerShell'].flatMap((tool_name) =>
      ['PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'SessionStart'].map((hook_event_name) => ({
        session_id: '275d3b22-9fcf-406a-9575-318d77964f0e',
        transcript_path: '/home/dev/.claude/projects/-home-dev-project/275d3b22.jsonl',
        cwd: PROJECT,
        prompt_id: 'c61ec3a1-fa27-41df-b65f-9ac7f1897f02',
        permission_mode: 'default',
        effort: { level: 'medium' },
        hook_event_name,
        tool_name,
        tool_input: /Bash|Monitor|PowerShell/.test(tool_name) ? INPUT : FILE,
        tool_use_id: 'toolu_1',
      })),
    ),
    isCall: (event) =>
      event.hook_event_name === 'PreToolUse' && isText(event.tool_name, /^(Bash|Write|Edit|NotebookEdit|PowerShell)$/),
    commandOf: ({ hookSpecificOutput }) =>
      outcome(at(hookSpecificOutput, 'permissionDecision') === 'deny', at(hookSpecificOutput, 'updatedInput')),
  },
  {
    dialect: gemini,
    events: ['run_shell_command', 'write_file', 'replace'].flatMap((tool_name) =>
      ['BeforeTool', 'AfterTool'].map((hook_event_name) => ({
        session_id: 's',
        transcript_path: '/home/dev/.gemini/tmp/p/chats/c.jsonl',
        cwd: PROJECT,
        hook_event_name,
        tool_name,
        tool_input: tool_name === 'run_shell_command' ? INPUT : FILE,
        tool_response: { llmContent: 'x' },
      })),
    ),
    isCall: (event) =>
      event.hook_event_name === 'BeforeTool' && isText(event.tool_name, /^(run_shell_command|write_file|replace)$/),
    commandOf: ({ decision, hookSpecificOutput }) => outcome(decision === 'deny', at(hookSpecificOutput, 'tool_input')),
  },
  {
    dialect: copilot,
    events: ['bash', 'create', 'edit'].flatMap((toolName) =>
      [{}, { toolResult: { resultType: 'success' } }, { error: 'x' }].map((more) => ({
        sessionId: 's',
        timestamp: 1,
        cwd: PROJECT,
        toolName,
        toolArgs: toolName === 'bash' ? INPUT : FILE,
        ...more,
      })),
    ),
    isCall: (event) =>
      !('toolResult' in event) && !('error' in event) && isText(event.toolName, /^(bash|create|edit)$/),
    commandOf: ({ permissionDecision, modifiedArgs }) => outcome(permissionDecision === 'deny', modifiedArgs),
  },
  {
    dialect: cursor,
    events: ['Shell', 'Write', 'Delete'].flatMap((tool_name) =>
      ['preToolUse', 'postToolUse'].map((hook_event_name) => ({
        conversation_id: 'c',
        workspace_roots: [PROJECT],
        cwd: PROJECT,
        hook_event_name,
        tool_name,
        tool_use_id: 't',
        tool_input: tool_name === 'Shell' ? INPUT : FILE,
      })),
    ),
    isCall: (event) => event.hook_event_name === 'preToolUse' && isText(event.tool_name, /^(Shell|Write|Delete)$/),
    commandOf: ({ permission, updated_input }) => outcome(permission === 'deny', updated_input),
  },
  {
    dialect: opencode,
    events: ['bash', 'write', 'edit'].flatMap((tool) =>
      ['before', 'after'].map((phase) => ({
        phase,
        tool,
        sessionID: 's',
        callID: 'c',
        directory: PROJECT,
        args: tool === 'bash' ? INPUT : FILE,
      })),
    ),
    isCall: (event) => event.phase === 'before' && isText(event.tool, /^(bash|write|edit)$/),
    commandOf: ({ deny, args }) => outcome(typeof deny === 'string', args),
  },
  {
    dialect: qwen,
    events: ['run_shell_command', 'write_file', 'edit'].flatMap((tool_name) =>
      ['PreToolUse', 'PostToolUse', 'PostToolUseFailure'].map((hook_event_name) => ({
        session_id: 's',
        cwd: PROJECT,
        hook_event_name,
        tool_name,
        tool_input: tool_name === 'run_shell_command' ? INPUT : FILE,
        tool_response: { llmContent: 'x' },
        tool_use_id: 't',
      })),
    ),
    isCall: (event) =>
      event.hook_event_name === 'PreToolUse' && isText(event.tool_name, /^(run_shell_command|write_file|edit)$/),
    commandOf: ({ hookSpecificOutput }) =>
      outcome(at(hookSpecificOutput, 'permissionDecision') === 'deny', at(hookSpecificOutput, 'updatedInput')),
  },
];

function outcome(isDenied: boolean, input: unknown): unknown {
  return isDenied ? null : at(input, 'command');
}

/** What is no text matches nothing. */
function isText(value: unknown, pattern: RegExp): boolean {
  return typeof value === 'string' && pattern.test(value);
}

function at(value: unknown, key: string): unknown {
  return value === undefined || value === null ? undefined : (value as Json)[key];
}

for (const subject of SUBJECTS) {
  const { dialect, events } = subject;
  describe(`the dialect of ${dialect.agent}, fuzzed`, () => {
    const event = fc.constantFrom(...events);

    test('answers fields of any type and value', () => {
      const keys = [...new Set(events.flatMap((one) => Object.keys(one))), 'command'];
      const odd = fc.oneof(fc.jsonValue(), fc.constant(undefined), fc.string({ unit: 'binary' }));
      const damage = fc.record({ event, key: fc.constantFrom(...keys), value: odd, inside: fc.boolean() });
      fc.assert(
        fc.property(fc.array(damage, { minLength: 1, maxLength: 2 }), (steps) =>
          judge(subject, steps.reduce(harm, {})),
        ),
        { numRuns: runs(1000) },
      );
    });

    test('answers texts that were cut and spliced', () => {
      const piece = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('', '\ufeff', '\u0000', '{"a":', '}', '"'));
      fc.assert(
        fc.property(event, fc.nat(), fc.nat(9), piece, (whole, from, length, text) => {
          const json = JSON.stringify(whole);
          const start = from % json.length;
          judge(subject, json.slice(0, start) + text + json.slice(start + length));
        }),
        { numRuns: runs(1000) },
      );
    });
  });
}

interface Damage {
  readonly event: Json;
  readonly key: string;
  readonly value: unknown;
  readonly inside: boolean;
}

/** Puts `value` in place of one field of the event, or of the tool's input. */
function harm(before: Json, { event, key, value, inside }: Damage): Json {
  const base = Object.keys(before).length === 0 ? event : before;
  if (!inside) return { ...base, [key]: value };
  const holder = ['tool_input', 'toolArgs', 'args'].find((name) => name in base) ?? key;
  return { ...base, [holder]: { ...(base[holder] as Json), [key]: value } };
}

function judge({ dialect, isCall, commandOf }: Subject, input: Json | string): void {
  const text = typeof input === 'string' ? input : JSON.stringify(input);
  const { json, stdout, exit } = askDialect(dialect, text, {
    findSession: () => ({ project: PROJECT, isNearest: true }),
  });
  assert.ok(exit === 0 || dialect.agent === 'copilot', `exit ${exit}`);
  assert.ok(!/[\n\r]/.test(stdout), 'one line');
  const event = parsed(text);
  const command = commandOf(json);
  if (event === undefined) assert.equal(command, null, 'no event: denied');
  if (event === undefined || !isCall(event)) return;
  assert.ok(command === null || isText(command, /^'\/opt\/yolofs\/bin\/yolofs' run /), `let through: ${stdout}`);
}

function parsed(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text.replace(/^\ufeff+/, ''));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}
