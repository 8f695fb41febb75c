/**
 * Runs the operations and prints what they saw: `node main.js DIR [PART OF A TITLE]`. Every operation has a directory
 * `DIR/NN` of its own, which must hold the seed already. Runs on the host and, through `yolofs run`, in the view.
 */
import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { OPERATIONS } from './list.ts';
import { Trace } from './operation.ts';

const [root = '.', part = ''] = process.argv.slice(2);
process.umask(0o022);
const report: Record<string, Trace['seen']> = {};
for (const [index, operation] of OPERATIONS.entries()) {
  if (!operation.title.includes(part)) continue;
  const trace = new Trace();
  try {
    await operation.run(trace, join(root, String(index)));
  } catch (error) {
    trace.see(
      'stopped by',
      error instanceof Error ? `${error.message} ${(error as NodeJS.ErrnoException).code ?? error.stack}` : error,
    );
  }
  report[operation.title] = trace.seen;
}
// Paths differ between the subjects and are part of Node's error messages.
const json = Buffer.from(JSON.stringify(report).replaceAll(root, '<root>'));
for (let at = 0; at < json.length; ) at += writeSync(1, json, at);
