/** Several runs of node's test runner as one: their events one after the other, with one count at the end. */
import type { run } from 'node:test';

type Run = ReturnType<typeof run>;
type TestEvent = Run extends AsyncIterable<infer Event> ? Event : never;

/** Begins a run. */
export type Start = () => Run;

interface Plain {
  readonly type: string;
  readonly data: {
    readonly nesting?: number;
    readonly message?: string;
    readonly count?: number;
    readonly file?: string;
  };
}

const COUNT = /^(tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) ([\d.]+)$/;

/** Starts each run when the one before has ended. The last events are the plan and the counts of all together. */
export async function* joinRuns(starts: Iterable<Start>): AsyncGenerator<TestEvent, void, undefined> {
  const counts = new Map<string, number>();
  let planned = 0;
  for (const start of starts) {
    for await (const event of start()) {
      const { type, data } = event as Plain;
      const isOverall = data.nesting === 0 && data.file === undefined;
      const count = isOverall && type === 'test:diagnostic' ? COUNT.exec(data.message ?? '') : null;
      if (isOverall && type === 'test:plan') planned += data.count ?? 0;
      else if (count !== null) counts.set(count[1] ?? '', (counts.get(count[1] ?? '') ?? 0) + Number(count[2]));
      else yield event as TestEvent;
    }
  }
  yield { type: 'test:plan', data: { nesting: 0, count: planned } } as unknown as TestEvent;
  for (const [name, value] of counts) {
    yield { type: 'test:diagnostic', data: { nesting: 0, message: `${name} ${value}` } } as unknown as TestEvent;
  }
}
