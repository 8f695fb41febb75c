/**
 * One event before a shell call for each agent, as the agent sends it, and where its answer has the rewritten command.
 * Fields are those that the agents document or that were seen in their events; ids and paths are made up.
 */
import { fieldAt } from '../json-tree.ts';

interface Canary {
  event(command: string, cwd: string): object;
  /** Keys that lead to the command in the answer. */
  readonly rewritten: readonly string[];
}

const CANARIES: Readonly<Record<string, Canary>> = {
  claude: {
    event: (command, cwd) => ({
      session_id: '5f1c6a2e-6f0d-4a6e-9d44-2f0f4d1e1c11',
      transcript_path: `${cwd}/transcript.jsonl`,
      cwd,
      permission_mode: 'default',
      hook_event_name: 'PreToolUse',
      tool_name: 'Bash',
      tool_input: { command, description: 'Try the hook', timeout: 120_000 },
      tool_use_id: 'toolu_01YolofsDoctorCanary',
    }),
    rewritten: ['hookSpecificOutput', 'updatedInput', 'command'],
  },
  codex: {
    event: (command, cwd) => ({
      session_id: '0199a213-81c0-7800-8aa1-bbab2a035a53',
      turn_id: '1',
      transcript_path: null,
      cwd,
      hook_event_name: 'PreToolUse',
      model: 'gpt-5',
      permission_mode: 'default',
      tool_name: 'Bash',
      tool_input: { command },
      tool_use_id: 'call_YolofsDoctorCanary',
    }),
    rewritten: ['hookSpecificOutput', 'updatedInput', 'command'],
  },
  gemini: {
    event: (command, cwd) => ({
      session_id: '5f1c6a2e-6f0d-4a6e-9d44-2f0f4d1e1c11',
      transcript_path: '',
      cwd,
      hook_event_name: 'BeforeTool',
      timestamp: new Date(0).toISOString(),
      tool_name: 'run_shell_command',
      tool_input: { command, description: 'Try the hook' },
    }),
    rewritten: ['hookSpecificOutput', 'tool_input', 'command'],
  },
  copilot: {
    event: (command, cwd) => ({
      sessionId: '5f1c6a2e-6f0d-4a6e-9d44-2f0f4d1e1c11',
      timestamp: 0,
      cwd,
      toolName: 'bash',
      toolArgs: { command, description: 'Try the hook' },
    }),
    rewritten: ['modifiedArgs', 'command'],
  },
  cursor: {
    event: (command, cwd) => ({
      conversation_id: '5f1c6a2e-6f0d-4a6e-9d44-2f0f4d1e1c11',
      generation_id: '1',
      hook_event_name: 'preToolUse',
      cursor_version: '3.18.0',
      workspace_roots: [cwd],
      tool_name: 'Shell',
      tool_input: { command, working_directory: cwd },
      tool_use_id: 'tool_YolofsDoctorCanary',
      cwd,
    }),
    rewritten: ['updated_input', 'command'],
  },
  opencode: {
    event: (command, cwd) => ({
      phase: 'before',
      tool: 'bash',
      sessionID: 'ses_YolofsDoctorCanary',
      callID: 'call_YolofsDoctorCanary',
      args: { command, description: 'Try the hook' },
      directory: cwd,
    }),
    rewritten: ['args', 'command'],
  },
};

/** The event as text, for the hook's stdin. */
export function canaryEvent(agent: string, command: string, cwd: string): string {
  return JSON.stringify(CANARIES[agent]?.event(command, cwd) ?? {});
}

/** What Claude Code hands to its shell prefix for a command that needs no quoting in single quotes. */
export function canaryFrame(command: string): string {
  const begin = 'source /nowhere/shell-snapshots/snapshot-bash-0-canary.sh 2>/dev/null || true';
  return `${begin} && eval '${command}' < /dev/null && pwd -P >| /tmp/claude-yolofs-canary-cwd`;
}

/** The command that the agent would run after this answer; undefined when the answer rewrites nothing. */
export function rewrittenIn(agent: string, answer: string): string | undefined {
  const command = fieldAt(answer, CANARIES[agent]?.rewritten ?? []);
  return typeof command === 'string' ? command : undefined;
}
