/** A session's steps read and written as commits, or as patches. */
import { renderDiff } from '../../history/diff/diff.ts';
import { Facts } from '../../history/diff/facts.ts';
import type { PathChange } from '../../history/diff/path-change.ts';
import type { Layout } from '../../history/layout.ts';
import { commitPieces } from '../../review/export/fast-import.ts';
import { Belonging, messageOf, type Step, stepsOf } from '../../review/export/series.ts';
import { oneLine, toBytePath } from '../../sys/bytes.ts';
import { rangeOf } from '../look/range-words.ts';
import { changesIn, type Reading, readSession, timelineOf } from '../look/read-session.ts';
import { writePieces } from '../text/output.ts';
import { ownGitSetting } from './own-git.ts';
import { OwnRepository } from './own-repository.ts';
import { homeOf } from './review-in.ts';

interface Told {
  readonly step: Step;
  readonly changes: readonly PathChange[];
}

/** Undefined `hash`: there is nothing to export. Throws a UserError where the branch cannot be made. */
export function exportBranch(
  session: Layout,
  range: string | undefined,
  branch: string,
): Promise<{ readonly commits: number; readonly hash: string | undefined }> {
  const repository = new OwnRepository(session.project, branch);
  return readSession(session, async (reading) => {
    const told = reading === undefined ? [] : [...tell(reading, range)];
    if (reading === undefined || told.length === 0) return { commits: 0, hash: undefined };
    const context = { facts: new Facts(reading.base, reading.store), project: toBytePath(session.project) };
    const who = author();
    const pieces = function* (): Generator<Buffer, void> {
      for (const [index, { step, changes }] of told.entries()) {
        const { subject, body } = messageOf(step.marker);
        const from = index === 0 ? repository.head : undefined;
        const head = {
          ref: 'refs/heads/export',
          who,
          seconds: secondsOf(step),
          message: messageText(subject, body),
          from,
        };
        yield* commitPieces(head, changes, context);
      }
    };
    return { commits: told.length, hash: await repository.write(pieces()) };
  });
}

/** As `git format-patch --stdout` writes them, but for binary files, which are named. */
export function exportPatch(session: Layout, range: string | undefined): Promise<void> {
  return readSession(session, async (reading) => {
    if (reading !== undefined) await writePieces(patchPieces([...tell(reading, range)], reading, session));
  });
}

function* patchPieces(told: readonly Told[], { base, store }: Reading, session: Layout): Generator<string, void> {
  const who = author();
  for (const [index, { step, changes }] of told.entries()) {
    const { subject, body } = messageOf(step.marker);
    const date = new Date(secondsOf(step) * 1000).toUTCString().replace('GMT', '+0000');
    yield `From ${'0'.repeat(40)} Mon Sep 17 00:00:00 2001\nFrom: ${who}\nDate: ${date}\n`;
    yield `Subject: [PATCH ${index + 1}/${told.length}] ${subject}\n\n`;
    // A line that looks like the end of the message would be one.
    yield body === '' ? '---\n\n' : `${body.replace(/^(?=---|diff |Index: |From )/gm, ' ')}\n---\n\n`;
    yield* renderDiff(changes, { base, store, project: toBytePath(session.project) });
    yield '-- \nyolofs\n\n';
  }
}

/** Steps that changed something in the project. */
function* tell(reading: Reading, word: string | undefined): Generator<Told, void> {
  const timeline = timelineOf(reading);
  const { base, store, layout } = reading;
  const belonging = new Belonging({ base, store, project: toBytePath(layout.project), home: homeOf() });
  for (const step of stepsOf(timeline, word === undefined ? undefined : rangeOf(word, timeline))) {
    const changes = [...belonging.of(changesIn({ ...reading, expand: true }, step.range)())];
    if (changes.length > 0) yield { step, changes };
  }
}

function messageText(subject: string, body: string): string {
  return body === '' ? subject : `${subject}\n\n${body}`;
}

function secondsOf({ marker }: Step): number {
  return marker?.time.sec ?? Math.floor(Date.now() / 1000);
}

/** By the person's own settings. */
function author(): string {
  const clean = (text: string): string => oneLine(text).replace(/[<>]/g, '').trim();
  const [name = '', address = ''] = ['user.name', 'user.email'].map((one) => clean(ownGitSetting(one) ?? ''));
  return `${name === '' ? 'yolofs' : name} <${address === '' ? 'yolofs@localhost' : address}>`;
}
