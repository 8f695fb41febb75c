/** What a scripted model says, turn by turn, in no protocol yet: each model server puts it on the wire of its API. */

/** One call of a tool. */
export interface ToolCall {
  readonly id: string;
  readonly tool: string;
  /** The arguments; a text where the tool takes free text (Codex' `apply_patch`). */
  readonly input: Readonly<Record<string, unknown>> | string;
  /** The group the tool is offered in, where the API has groups (Codex puts each MCP server's tools into one). */
  readonly namespace?: string;
}

/** The model's part of a turn: what it says, then its calls, all in one answer. Without calls the agent stops. */
export interface Turn {
  readonly text?: string;
  readonly calls?: readonly ToolCall[];
}

/** A turn, or what makes one of the body of the request that asks for it. */
export type ScriptedTurn = Turn | ((body: unknown) => Turn);

/** One call as a turn of its own. */
export function callTool(tool: string, input: ToolCall['input'], id = `call_${tool}`): Turn {
  return { calls: [{ id, tool, input }] };
}
