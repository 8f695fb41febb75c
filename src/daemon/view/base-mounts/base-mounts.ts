/**
 * The main thread's side of base mounts (README.md): has the host looked through once somebody works in the view, and again
 * when rules have changed; mounts what was found.
 */
import type { Worker } from 'node:worker_threads';
import type { Rule } from '../../../rules/rules.ts';
import { mayMount } from '../../../sandbox/privilege.ts';
import { type BytePath, toBytePath } from '../../../sys/bytes.ts';
import { fromMountText } from '../../../sys/files/mount-text.ts';
import { readText } from '../../../sys/files/text-files.ts';
import { log } from '../../../sys/log.ts';
import { SURVEY_THREAD } from '../../entries.ts';
import { startThread } from '../../life/own-thread.ts';
import type { Turns } from '../../life/turns.ts';
import type { Serving } from '../../serving.ts';
import { invalidate } from '../invalidate.ts';
import type { Plain, SurveyAsk } from './survey.ts';

/** Where systems keep what only root installs and nobody writes to. Not /opt: programs there have sockets and state beside them. */
const ROOTS = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'].map(toBytePath);
const EVERY_MS = 3000;
/** Requests to open a file that cost as much as to look through the host. */
const WORTH = 5000;
/** Of a line of mountinfo. */
const MOUNT_POINT = 4;

interface ViewInUse {
  readonly turns: Turns;
  readonly isBusy: boolean;
}

export class BaseMounts {
  readonly #view: Serving;
  readonly #use: ViewInUse;
  /** Paths that the view answers itself. */
  readonly #kept: readonly BytePath[];
  readonly #timer: NodeJS.Timeout | undefined;
  #thread: Worker | undefined;
  #isLooking = false;
  /** Requests to open a file until the host was looked through. */
  #opened = 0;
  /** What the host was looked through by. */
  #rules: readonly Rule[] | undefined;

  constructor(view: Serving, use: ViewInUse, kept: readonly BytePath[]) {
    this.#view = view;
    this.#use = use;
    this.#kept = kept;
    // For root everything there can be changed, and is staged.
    if (mayMount() || process.geteuid?.() === 0) return;
    this.#timer = setInterval(() => void this.#look(), EVERY_MS);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    void this.#thread?.terminate();
  }

  async #look(): Promise<void> {
    const { config, worker } = this.#view;
    const { rules } = config.current;
    if (this.#isLooking || rules === this.#rules || !this.#use.isBusy) return;
    this.#isLooking = true;
    const opened = await worker.order('stats', null).then(
      ({ opcodes }) => opcodes.OPEN ?? 0,
      () => 0,
    );
    if (opened - this.#opened < WORTH) {
      this.#isLooking = false;
      return;
    }
    this.#opened = opened;
    this.#rules = rules;
    this.#survey(rules);
  }

  #survey(rules: readonly Rule[]): void {
    const thread = startThread(SURVEY_THREAD, { workerData: this.#ask(rules) });
    if (thread === undefined) {
      this.stop();
      return;
    }
    this.#thread = thread;
    thread.unref();
    thread.once('message', (found: readonly Plain[]) => void this.#mount(found, rules));
    thread.once('error', (error) => this.#giveUp(error));
    thread.once('exit', () => {
      this.#isLooking = false;
    });
  }

  #ask(rules: readonly Rule[]): SurveyAsk {
    const points = ['/proc/self/mountinfo', `/proc/${this.#view.holder.pid}/mountinfo`].flatMap(mountPoints);
    const user = {
      uid: process.geteuid?.() ?? 0,
      groups: [process.getegid?.() ?? 0, ...(process.getgroups?.() ?? [])],
    };
    return { roots: ROOTS, rules, user, kept: [...this.#kept, ...points] };
  }

  async #mount(found: readonly Plain[], rules: readonly Rule[]): Promise<void> {
    const { worker, holder, notifiers, catchUp } = this.#view;
    const work = async (): Promise<void> => {
      const { lent } = await worker.order('lend', { found, rules });
      if (lent.length === 0) return;
      // A name that the kernel is told to forget loses what was mounted on it.
      await catchUp();
      holder.mountBase(lent);
      const { forget } = await worker.order('lent', null);
      await invalidate(notifiers, forget);
    };
    await this.#use.turns.takeBrief(work).catch((error: Error) => this.#giveUp(error));
  }

  /** The view shows the same without. */
  #giveUp(error: Error): void {
    log(`nothing of the base is mounted into the view: ${error.message}`);
    this.stop();
  }
}

/** All but the root. */
function mountPoints(table: string): BytePath[] {
  const lines = (readText(table) ?? '').split('\n');
  const points = lines.map((line) => toBytePath(fromMountText(line.split(' ')[MOUNT_POINT] ?? '/')));
  return points.filter((point) => point !== '/');
}
