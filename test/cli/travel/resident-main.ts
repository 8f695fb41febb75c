/**
 * A process that stays in the view and does one thing a line, as a test asks: `node resident-main.js`. It keeps files,
 * mappings, directory streams and its working directory across whatever the session does meanwhile.
 */
import * as fs from 'node:fs';
import { createInterface } from 'node:readline';
import { Mapping } from '../../conformance/native.ts';
import type { Answer, Ask } from './resident.ts';

const files = new Map<string, number>();
const mappings = new Map<string, Mapping>();
const streams = new Map<string, fs.Dir>();

const file = (id: string): number => files.get(id) ?? -1;

function readAll(fd: number): string {
  const into = Buffer.alloc(1 << 16);
  return into.toString('latin1', 0, fs.readSync(fd, into, 0, into.length, 0));
}

function next(dir: fs.Dir | undefined, count: number): string[] {
  const names: string[] = [];
  for (let i = 0; i < count; i++) {
    const entry = dir?.readSync();
    if (entry) names.push(entry.name);
  }
  return names;
}

/** Node's own opinion of its directory is a memory; this is the kernel's. */
function where(): string {
  return fs.readlinkSync('/proc/self/cwd');
}

function about(stat: fs.Stats): string {
  return `${(stat.mode & 0o7777).toString(8)} ${stat.size} ${stat.nlink}`;
}

function map(id: string, length: number): string {
  mappings.set(id, new Mapping(file(id), length, 'shared'));
  return '';
}

function carryOut(ask: Ask): unknown {
  switch (ask.op) {
    case 'open':
      return files.set(ask.id, fs.openSync(ask.path, ask.flags)).size;
    case 'close':
      return fs.closeSync(file(ask.id));
    case 'read':
      return readAll(file(ask.id));
    case 'write':
      return fs.writeSync(file(ask.id), ask.text, ask.at);
    case 'fsync':
      return fs.fsyncSync(file(ask.id));
    case 'fstat':
      return about(fs.fstatSync(file(ask.id)));
    case 'map':
      return map(ask.id, ask.length);
    case 'poke':
      return mappings.get(ask.id)?.bytes.write(ask.text, ask.at);
    case 'peek':
      return mappings.get(ask.id)?.bytes.toString('latin1');
    case 'chdir':
      return process.chdir(ask.path);
    case 'cwd':
      return where();
    case 'ls':
      return fs.readdirSync(ask.path).sort();
    case 'cat':
      return fs.readFileSync(ask.path, 'latin1');
    case 'put':
      return fs.writeFileSync(ask.path, ask.text);
    case 'append':
      return fs.appendFileSync(ask.path, ask.text);
    case 'stat':
      return about(fs.lstatSync(ask.path));
    case 'chmod':
      return fs.chmodSync(ask.path, ask.mode);
    case 'fchmod':
      return fs.fchmodSync(file(ask.id), ask.mode);
    case 'utimes':
      return fs.utimesSync(ask.path, ask.time, ask.time);
    case 'readlink':
      return fs.readlinkSync(ask.path);
    case 'opendir':
      return streams.set(ask.id, fs.opendirSync(ask.path, { bufferSize: 1 })).size;
    case 'next':
      return next(streams.get(ask.id), ask.count);
  }
}

function answerTo(line: string): Answer {
  try {
    return { value: carryOut(JSON.parse(line) as Ask) ?? '' };
  } catch (error) {
    return { error: (error as NodeJS.ErrnoException).code ?? String(error) };
  }
}

createInterface({ input: process.stdin }).on('line', (line) => {
  process.stdout.write(`${JSON.stringify(answerTo(line))}\n`);
});
