/** A machine's rows. */
import { boot } from './machine/boot.ts';
import { programDisk } from './machine/program.ts';
import type { Machine } from './machines.ts';
import { machineKey, type Row } from './table.ts';

/** Boots it and runs its job; none where there is no kernel for it. */
export async function tryMachine(machine: Machine): Promise<Row[]> {
  const { system, title, job, kernel, expected } = machine;
  const own = kernel === undefined ? undefined : process.env[kernel];
  if (kernel !== undefined && own === undefined) {
    process.stdout.write(`not tried: ${title}: $${kernel} is not set\n`);
    return [];
  }
  const program = await programDisk(system.arch, job);
  const console = await boot({
    ...machine,
    program,
    timeout: machine.minutes * 60_000,
    ...(own === undefined ? {} : { kernel: own }),
  });
  const said = new Map(
    [...console.matchAll(/^row: (.* \| .*) \| (.*?)\r?$/gm)].map(([, what = '', result = '']) => [what, result]),
  );
  return Object.entries(expected).map(([what, wanted]) => {
    const result = said.get(what) ?? 'the machine ended before';
    return { key: machineKey(title, what), result, isExpected: wanted.test(result) };
  });
}
