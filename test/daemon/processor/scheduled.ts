/** How the threads of a process are scheduled. */
import { readdirSync, readFileSync } from 'node:fs';

const SCHED_IDLE = '5';

export interface Scheduled {
  readonly tid: number;
  readonly isIdle: boolean;
  /** As the kernel lists them: `0-1`. */
  readonly processors: string;
}

/** The threads of a process; one that ends meanwhile is left out. */
export function scheduledThreads(pid: number): Scheduled[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((tid) => {
    const [stat, status] = ['stat', 'status'].map((name) => textOf(`/proc/${pid}/task/${tid}/${name}`));
    if (!stat || !status) return [];
    // Field 41 of proc_pid_stat(5).
    const policy = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[41 - 3];
    const processors = /^Cpus_allowed_list:\s*(\S+)$/m.exec(status)?.[1] ?? '';
    return [{ tid: Number(tid), isIdle: policy === SCHED_IDLE, processors }];
  });
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1');
  } catch (error) {
    if (!['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    return undefined;
  }
}
