/**
 * A session for a program. It talks to the daemon as the commands do, and has a command of ours read what takes native libraries:
 * none of these is loaded into the program's process, and nothing of that process is changed.
 */
import { resolve } from 'node:path';
import { stopDaemon, withDaemon } from '../cli/connection.ts';
import { findSession } from '../cli/session.ts';
import type { Layout } from '../history/layout.ts';
import { layoutOfNone } from '../history/registry/find.ts';
import { madeSession } from '../history/registry/make.ts';
import { isInsideView } from '../sandbox/inside.ts';
import { type BytePath, label, toBytePath, toBytes } from '../sys/bytes.ts';
import { realPath } from '../sys/files/text-files.ts';
import { UserError } from '../sys/user-error.ts';
import { listing, printed } from './own-command.ts';
import { runFor } from './run.ts';
import type { CommitOptions, OnQuestion, RunOptions, RunResult, Status, Watching } from './types.ts';
import { watchFor } from './watch.ts';

export interface OpenOptions {
  /** Makes a session in the directory where there is none in it or above it. */
  readonly create?: boolean;
}

export class Session {
  /** The project's directory. */
  readonly project: string;
  readonly #layout: Layout;

  private constructor(layout: Layout) {
    this.project = layout.project;
    this.#layout = layout;
  }

  /** The nearest session of `directory`, upward. Rejects with a UserError when there is none, or none that can be trusted. */
  static async open(directory: string, { create = false }: OpenOptions = {}): Promise<Session> {
    if (isInsideView()) throw new UserError('not possible inside the view');
    const found = findSession(directory);
    const real = create ? realPath(directory) : undefined;
    if (found !== undefined) return new Session(madeSession(found));
    if (real === undefined) throw new UserError(`not a session: ${directory}`, "'create' makes one");
    return new Session(madeSession(layoutOfNone(real)));
  }

  /**
   * Runs a command in the view, or shell text, and waits for its end. Rejects with a UserError when it could not be run; what it says itself
   * is its exit code.
   */
  run(command: string | readonly string[], options: RunOptions = {}): Promise<RunResult> {
    return runFor(this.#layout, command, options);
  }

  /** What is staged, or what lies in a range (`3`, `2..5`, `all`). */
  async status(range?: string): Promise<Status> {
    return listing<Status>(this.#layout, ['status', ...(range === undefined ? [] : [range])]);
  }

  /** The same line by line, in git's form. */
  diff({ range, paths = [] }: { readonly range?: string; readonly paths?: readonly string[] } = {}): Promise<string> {
    const chosen = paths.map((path) => resolve(this.project, path));
    return printed(this.#layout, ['diff', range ?? '..', '--', ...chosen]);
  }

  /** Names the present state. */
  async snapshot(name = ''): Promise<number> {
    const request = { op: 'snapshot', name: toBytes(name), ifChanged: false } as const;
    return (await withDaemon(this.#layout, (daemon) => daemon.request(request))).generation;
  }

  /** Goes to the state of a generation, by number or name; `from` leads back to where it came from. */
  async travel(
    to: number | string,
  ): Promise<{ readonly generation: number; readonly target: number; readonly from: number }> {
    const request = { op: 'travel', to: String(to) } as const;
    const { generation, target, from } = await withDaemon(this.#layout, (daemon) => daemon.request(request));
    return { generation, target, from };
  }

  /**
   * Applies what is staged to the real files, whole or not at all: a program that calls this has agreed to it. Rejects with a UserError,
   * with the code `conflict` and what is in conflict as `details` where somebody has changed the real files meanwhile.
   */
  async commit(options: CommitOptions = {}): Promise<{ readonly changes: number; readonly merged: readonly string[] }> {
    const { paths = [], ours = [], theirs = [], merge = false, reviewed } = options;
    const ask = {
      ...({ op: 'commit', dryRun: false, merge } as const),
      ...{ paths: this.#paths(paths), ours: this.#paths(ours), theirs: this.#paths(theirs) },
      ...(reviewed === undefined ? {} : { reviewed }),
    };
    const { changes, merged } = await withDaemon(this.#layout, (daemon) => daemon.request(ask));
    return { changes, merged: merged.map(label) };
  }

  /** Discards what is staged, or what is staged at paths; `undo` brings it back. */
  async abort(paths: readonly string[] = []): Promise<{ readonly changes: number }> {
    const request = { op: 'abort', paths: this.#paths(paths) } as const;
    const { changes } = await withDaemon(this.#layout, (daemon) => daemon.request(request));
    return { changes };
  }

  /** Takes the last commit or abort back. */
  async undo(): Promise<{ readonly changes: number }> {
    const { changes } = await withDaemon(this.#layout, (daemon) => daemon.request({ op: 'undo' }));
    return { changes };
  }

  /** Has this program answer the questions of what runs in the view, from now until it hangs up. */
  watch(onQuestion: OnQuestion): Promise<Watching> {
    return watchFor(this.#layout, onQuestion);
  }

  /** Ends the session's daemon, and with it everything that runs in the view; what is staged stays. */
  async stop(): Promise<void> {
    await stopDaemon(this.#layout);
  }

  #paths(paths: readonly string[]): BytePath[] {
    return paths.map((path) => toBytePath(resolve(this.project, path)));
  }
}
