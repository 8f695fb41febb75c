/**
 * A session in which a process of the view and somebody on the host write to the same files, each directory a sequence of its own. A judge
 * that knows only who wrote what (story.ts) says of all that is shown and committed whether it can be.
 */
import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import type { TestContext } from 'node:test';
import { setTimeout as nextTurn } from 'node:timers/promises';
import { type Ask, type Resident, startResident } from '../../cli/travel/resident.ts';
import { Random } from '../../random/random.ts';
import { type Session, session } from '../../support/session.ts';
import { HOST_EDITS, isOne, Patterns, readIf } from './host.ts';
import { order } from './order.ts';
import { isMapped, mayShow, pieces } from './shown.ts';
import { put, Story } from './story.ts';

const STEPS_EACH = 15;
/** Mappings are written to at this offset or before, this many bytes. */
const [POKED, POKE] = [100, 12];
/** Steps between two orders to the session. */
const ORDER_EVERY = 60;
/** What is changed outside is seen within a second; a machine that is busy has more time. */
const SETTLED_MS = 5000;
/** The beginning of each text in the view, of which most come again and again. */
const TAG = /^v[0-9a-z]+\./;
/** Answers that show nothing. Node has no name for ESTALE. */
const LOST = /^(?:ENOENT|EIO|Unknown system error -116.*|it has ended)$/;
/** What a reply says of one path. */
const CONFLICT = /"[^"]*\/(d\d+)\/[fg]: [^"]*",?/g;

interface Sequence {
  readonly dir: string;
  readonly stories: Readonly<Record<'f' | 'g', Story>>;
  /** Whether both names are of one file on the host. */
  linked: boolean;
  readonly wasLinked: boolean;
  /** What the process in the view has open. */
  readonly held: ('r' | 'a' | 'm')[];
}

/** Two processes: an access to a mapping whose content is gone ends its process (SIGBUS). */
interface Agent {
  readonly files: Resident;
  readonly mappings: Resident;
}

export interface WritersOptions {
  readonly sequences: number;
  readonly seed: number;
}

/** Plays the sequences; throws an AssertionError that tells what was done to the directory in which something is wrong. */
export async function playWriters(t: TestContext, { sequences, seed }: WritersOptions): Promise<void> {
  const world = new World(seed, sequences);
  const s = await session(t, { seed: (project) => world.fill(project), noisy: true });
  await world.play(s, { files: startResident(t, s), mappings: startResident(t, s) });
}

class World {
  readonly #random: Random;
  readonly #patterns: Patterns;
  readonly #sequences: Sequence[];
  readonly #log: string[] = [];
  readonly #seed: number;
  #project = '';

  constructor(seed: number, count: number) {
    this.#seed = seed;
    this.#random = new Random(seed);
    this.#patterns = new Patterns(this.#random);
    this.#sequences = Array.from({ length: count }, (_, i) => {
      const linked = this.#random.below(3) === 0;
      const first = this.#text('H');
      const stories = {
        f: new Story(first),
        g: new Story(linked ? first : this.#text('H')),
      };
      return { dir: `d${i}`, stories, linked, wasLinked: linked, held: [] };
    });
  }

  fill(project: string): void {
    this.#project = project;
    for (const { dir, stories, linked } of this.#sequences) {
      fs.mkdirSync(`${project}/${dir}`);
      fs.writeFileSync(`${project}/${dir}/f`, stories.f.latest ?? '');
      if (linked) fs.linkSync(`${project}/${dir}/f`, `${project}/${dir}/g`);
      else fs.writeFileSync(`${project}/${dir}/g`, stories.g.latest ?? '');
    }
  }

  async play(s: Session, p: Agent): Promise<void> {
    for (const sequence of this.#sequences) await this.#open(p, sequence);
    for (let step = 1; step <= STEPS_EACH * this.#sequences.length; step++) {
      const sequence = this.#random.pick(this.#sequences);
      await this.#random.pick([
        () => this.#host(sequence),
        () => this.#view(p, sequence),
        () => this.#view(p, sequence),
        () => this.#attributes(p, sequence),
        () => this.#look(p, sequence),
      ])();
      if (step % ORDER_EVERY === 0) await this.#order(s, p);
    }
    await this.#commit(s);
    for (const sequence of this.#sequences) await this.#look(p, sequence);
  }

  /** Opens and maps some of it, and reads some of that. */
  async #open(p: Agent, { dir, held }: Sequence): Promise<void> {
    const path = `${this.#project}/${dir}/f`;
    for (const [id, flags] of [
      ['r', 'r+'],
      ['a', 'a'],
      ['m', 'r+'],
    ] as const) {
      if (this.#random.below(3) === 0) continue;
      const process = id === 'm' ? p.mappings : p.files;
      await process.ask({ op: 'open', id: `${dir}${id}`, path, flags });
      held.push(id);
      if (id === 'm') await process.ask({ op: 'map', id: `${dir}m`, length: 4096 });
      if (id === 'r' && this.#random.below(2) === 0) await process.ask({ op: 'read', id: `${dir}r` });
    }
  }

  async #host(sequence: Sequence): Promise<void> {
    const name = this.#random.pick(['f', 'f', 'g'] as const);
    const other = name === 'f' ? 'g' : 'f';
    const path = `${this.#project}/${sequence.dir}/${name}`;
    const was = readIf(path);
    const how =
      was === undefined ? undefined : this.#random.pick(Object.keys(HOST_EDITS) as (keyof typeof HOST_EDITS)[]);
    if (how === undefined) fs.writeFileSync(path, this.#text('H'));
    else HOST_EDITS[how](path, was ?? '', this.#text('H'));
    this.#note(sequence, `host: ${name} ${how ?? 'made'}`);
    if (how === 'renamed over' || how === 'removed' || how === 'removed and made again') sequence.linked = false;
    sequence.stories[name].host(readIf(path));
    if (sequence.linked) sequence.stories[other].host(readIf(path));
  }

  /**
   * Changes attributes, by something that is open, or by name: the content stays what it is. Not of one file with two names, of which the
   * host may replace one: what the view shows by the other then is not right yet (test/PROOFS.md).
   */
  async #attributes(p: Agent, sequence: Sequence): Promise<void> {
    if (sequence.wasLinked) return;
    const path = `${this.#project}/${sequence.dir}/${this.#random.pick(['f', 'g'] as const)}`;
    const id = `${sequence.dir}r`;
    const mode = this.#random.pick([0o600, 0o644, 0o755]);
    const asks: Ask[] = [
      { op: 'chmod', path, mode },
      { op: 'utimes', path, time: this.#random.below(2 ** 30) },
    ];
    if (sequence.held.includes('r')) asks.push({ op: 'fchmod', id, mode });
    const ask = this.#random.pick(asks);
    this.#note(sequence, `view: ${JSON.stringify(ask)} -> ${await p.files.ask(ask)}`);
  }

  /** Writes by something that is open, or by name. */
  async #view(p: Agent, sequence: Sequence): Promise<void> {
    const { dir, held, stories } = sequence;
    const how = this.#random.pick([...held, 'name', 'fsync', 'new'] as const);
    const text = this.#random.pick([this.#patterns.of('v', 12), this.#text('v')]);
    const at = this.#random.pick([0, 3, 100, 4090, 4096, 8000]);
    const name = this.#random.pick(['f', 'g'] as const);
    const path = `${this.#project}/${dir}/${name}`;
    let ask: Ask = { op: 'fsync', id: `${dir}r` };
    let edit = (content: string): string => content;
    if (how === 'm') {
      const short = text.slice(0, POKE);
      ask = { op: 'poke', id: `${dir}m`, at: Math.min(at, POKED), text: short };
      edit = (content) => put(Math.min(at, POKED), short)(content).slice(0, content.length);
    } else if (how === 'r') {
      ask = { op: 'write', id: `${dir}r`, at, text };
      edit = put(at, text);
    } else if (how === 'a') {
      ask = { op: 'write', id: `${dir}a`, at: 0, text };
      edit = (content) => content + text;
    } else if (how === 'name') {
      ask = { op: 'put', path, text };
      edit = () => text;
    } else if (how === 'new') {
      ask = { op: 'append', path, text };
      edit = (content) => content + text;
    }
    // By whatever name, also by one that was another file's before.
    if (how === 'name') for (const story of Object.values(stories)) story.view(() => '');
    const tag = ask.op === 'fsync' ? undefined : TAG.exec(text)?.[0];
    for (const story of Object.values(stories)) {
      story.view(edit, tag);
      // What a mapping holds beyond the end shows, or does not, when the file grows (mmap(2)).
      if (ask.op === 'poke') story.view(put(ask.at, ask.text), tag);
    }
    const answer = await (ask.op === 'poke' ? p.mappings : p.files).ask(ask);
    this.#note(
      sequence,
      `view: ${JSON.stringify({ ...ask, text: 'text' in ask ? `${ask.text.slice(0, 12)} (${ask.text.length})` : '' })} -> ${answer}`,
    );
  }

  /** All that the process in the view sees; what is changed outside is there within a second. */
  async #look(p: Agent, sequence: Sequence): Promise<void> {
    const { dir, held, stories } = sequence;
    for (const name of ['f', 'g'] as const) {
      await this.#sees(sequence, [stories[name]], { op: 'cat', path: `${this.#project}/${dir}/${name}` }, p);
    }
    // What was opened by one name may be the other's by now.
    const either = Object.values(stories);
    for (const id of held) {
      if (id === 'r') await this.#sees(sequence, either, { op: 'read', id: `${dir}r` }, p);
      if (id === 'm') await this.#sees(sequence, either, { op: 'peek', id: `${dir}m` }, p);
    }
  }

  async #sees(sequence: Sequence, stories: readonly Story[], ask: Ask, p: Agent): Promise<void> {
    let seen: string | undefined;
    const isRight = async (): Promise<boolean> => {
      const answer = String(await (ask.op === 'peek' ? p.mappings : p.files).ask(ask));
      seen = LOST.test(answer) ? undefined : answer;
      const isOf = (story: Story): boolean =>
        ask.op === 'peek'
          ? isMapped(story, POKED + POKE, seen)
          : mayShow(story, ask.op === 'cat' && !sequence.wasLinked, seen);
      return stories.some(isOf);
    };
    for (const end = Date.now() + SETTLED_MS; Date.now() < end; await nextTurn()) if (await isRight()) return;
    this.#fail(sequence, `${JSON.stringify(ask)} shows ${pieces(seen)}`);
  }

  async #order(s: Session, p: Agent): Promise<void> {
    const what = this.#random.pick(['snapshot', 'travel', 'commit', 'commit', 'undo', 'flush'] as const);
    if (what === 'commit') await this.#commit(s);
    else if (what === 'undo') await this.#changing(s, { op: 'undo' }, (story, now) => story.had(now));
    else {
      const request = what === 'travel' ? { op: what, to: String(this.#random.below(4)) } : { op: what };
      const reply = await order(s, what === 'snapshot' ? { ...request, name: '', ifChanged: true } : request);
      this.#note(undefined, `${JSON.stringify(request)}: ${reply}`);
    }
    for (const sequence of this.#sequences) await this.#look(p, sequence);
  }

  /** Commits; of what is named as a conflict one side is taken then. */
  async #commit(s: Session): Promise<void> {
    const mayBe = (story: Story, now: string | undefined): boolean => story.mayBecome(now);
    const reply = await this.#changing(s, { op: 'commit', dryRun: false }, mayBe);
    if (!reply.includes('conflict')) return;
    for (const { dir, stories, linked } of this.#sequences) {
      for (const [name, story] of Object.entries(stories)) {
        // One name of a file stands for all.
        const names = linked ? ['f', 'g'] : [name];
        if (names.some((one) => reply.includes(`${this.#project}/${dir}/${one}:`))) story.decided();
      }
    }
    const side = this.#random.pick(['ours', 'theirs'] as const);
    await this.#changing(s, { op: 'commit', dryRun: false, [side]: [this.#project] }, mayBe);
  }

  /** An order that may change files on the host, of which `mayBe` says what they may be then. */
  async #changing(
    s: Session,
    request: object,
    mayBe: (story: Story, now: string | undefined) => boolean,
  ): Promise<string> {
    const reply = await order(s, request);
    this.#note(undefined, `${JSON.stringify(request)}: ${reply}`);
    for (const sequence of this.#sequences) {
      for (const [name, story] of Object.entries(sequence.stories)) {
        const path = `${this.#project}/${sequence.dir}/${name}`;
        const now = readIf(path);
        if (now === story.latest) continue;
        if (!mayBe(story, now))
          this.#fail(sequence, `${name} is ${pieces(now)} on the host, was ${pieces(story.latest)}`);
        story.session(now);
      }
      // A commit gives both names what one file of the view had.
      sequence.linked = isOne(`${this.#project}/${sequence.dir}`);
    }
    return reply;
  }

  #text(writer: 'H' | 'v'): string {
    return this.#patterns.of(writer, this.#patterns.length());
  }

  #note(sequence: Sequence | undefined, what: string): void {
    this.#log.push(`${sequence?.dir ?? 'all'} ${what}`);
  }

  #fail(sequence: Sequence, what: string): never {
    const told = this.#log
      .filter((line) => line.startsWith(`${sequence.dir} `) || line.startsWith('all '))
      .map((line) => line.replace(CONFLICT, (one, dir) => (dir === sequence.dir ? one : '')));
    assert.fail(
      `seed ${this.#seed}, ${sequence.dir}${sequence.wasLinked ? ', f and g were one file' : ''}: ${what}\n${told.join('\n')}`,
    );
  }
}
