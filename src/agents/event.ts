/**
 * What agents tell their hooks, and what hooks may answer, without any agent's dialect. `dialects/` translates both ways,
 * `answer.ts` decides.
 */

/** Those that take a command of ours in the place of theirs, so that `install` is of use. */
export type Installed = 'claude' | 'codex' | 'gemini' | 'copilot' | 'cursor' | 'opencode';
export type Agent = Installed | 'qwen';

export type Json = Readonly<Record<string, unknown>>;

interface Common {
  /** The agent's own name for the event, for dialects whose answers repeat it. */
  readonly name?: string;
}

/** Before a shell call. */
export interface ShellEvent extends Common {
  readonly kind: 'shell';
  /** The agent's id of the call; some have none. */
  readonly call?: string;
  readonly session?: string;
  readonly cwd: string;
  readonly tool: string;
  readonly command: string;
  /** The tool's whole input; a rewrite keeps all of it but the command. */
  readonly input: Json;
  /** The agent may only look and plan: nothing is to be allowed without a question. */
  readonly planning?: boolean;
  /** The agent's next command starts where this one ends. */
  readonly keepsDirectory?: boolean;
}

/** Before a built-in tool that writes files. What the agent keeps for itself (plans, memory) is no such event. */
export interface FileEvent extends Common {
  readonly kind: 'file';
  readonly call?: string;
  readonly cwd: string;
  readonly tool: string;
  /** Absolute; none where the tool's input names none. */
  readonly paths: readonly string[];
}

export interface DoneCall {
  readonly call?: string;
  readonly tool: string;
  /** As the agent now has it: perhaps the rewritten one. */
  readonly command?: string;
  readonly isShell: boolean;
  /** What it has printed, as the agent's client has it; the beginning will do. */
  readonly output?: string;
  /** It was sent to the background, and may not even have begun. */
  readonly background?: boolean;
}

/** After a call, or after a batch of them. */
export interface DoneEvent extends Common {
  readonly kind: 'done';
  readonly calls: readonly DoneCall[];
  readonly session?: string;
  readonly cwd: string;
  readonly failed: boolean;
}

/** The agent's session begins, or goes on. */
export interface StartEvent extends Common {
  readonly kind: 'start';
  readonly cwd: string;
}

/** Nothing that concerns us. */
export interface OtherEvent extends Common {
  readonly kind: 'other';
}

export type HookEvent = ShellEvent | FileEvent | DoneEvent | StartEvent | OtherEvent;

/** What cannot be understood. Before a call, the answer is the agent's documented denial. */
export interface Malformed extends Common {
  readonly kind: 'malformed';
  readonly phase: 'before' | 'after' | 'unknown';
  readonly why: string;
}

export type Answer =
  /** Nothing to say; `loud` is for the person, where the agent can show it. */
  | { readonly kind: 'pass'; readonly loud?: string }
  | { readonly kind: 'deny'; readonly reason: string }
  /** `ask`: the agent shall put its own question to the person, where it can. */
  | { readonly kind: 'rewrite'; readonly command: string; readonly ask: boolean }
  /** Context for the model, and perhaps a word for the person. */
  | { readonly kind: 'tell'; readonly text: string; readonly loud?: string };
