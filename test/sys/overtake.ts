/** Somebody else is faster: does something just before a call of node:fs is made. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import type { TestContext } from 'node:test';

/** Has `first` done before the next call of `name`, which then goes on. */
export function overtake(t: TestContext, name: 'mkdirSync' | 'openSync', first: (path: string) => void): void {
  const table = fs as unknown as Record<string, (...args: unknown[]) => unknown>;
  const original = table[name];
  if (original === undefined) throw new Error(`no call ${name}`);
  const undo = (): void => {
    table[name] = original;
    syncBuiltinESMExports();
  };
  t.after(undo);
  table[name] = (...args) => {
    undo();
    first(String(args[0]));
    return original(...args);
  };
  syncBuiltinESMExports();
}
