/** What the server of the review page gets of a session: readings that stay open, and the daemon. */
import { connect } from '../../daemon/client.ts';
import { noticeSteps } from '../../history/commit/notices/notices.ts';
import type { Layout } from '../../history/layout.ts';
import { Journal } from '../../history/log/journal.ts';
import { audit, indexJournal } from '../../history/past/audit.ts';
import { Blame } from '../../history/past/blame.ts';
import { parseRange } from '../../history/timeline/ranges.ts';
import type { AuditRecord } from '../../page/protocol.ts';
import type { Look, Opened, PageHost } from '../../page/server/host.ts';
import { label, toBytePath } from '../../sys/bytes.ts';
import { UserError } from '../../sys/user-error.ts';
import { takeBack } from '../commands/undo.ts';
import { withDaemon } from '../connection.ts';
import { type foundIn, foundInSteps } from '../look/listing.ts';
import { atOnce, changesIn, type Reading, readSession, timelineOf } from '../look/read-session.ts';
import { auditWord } from '../text/audit-text.ts';
import { rfc3339 } from '../text/when.ts';
import { homeOf } from './review-in.ts';

export function pageHost(layout: Layout): PageHost {
  return {
    layout,
    home: homeOf(),
    open: () => open(layout),
    ask: (request, onProgress) => withDaemon(layout, (daemon) => daemon.request(request, onProgress)),
    connect: () => connect(layout),
    undo: (onProgress) => takeBack(layout, { op: 'undo', ours: [], theirs: [], merge: false }, onProgress),
    report: (text) => process.stderr.write(`yolofs: the review page: ${text}\n`),
  };
}

/** The reading lasts until it is closed. */
function open(layout: Layout): Promise<Opened | undefined> {
  return new Promise((resolve, reject) => {
    let done: Promise<void> = Promise.resolve();
    done = readSession(layout, async (reading) => {
      if (reading === undefined) return resolve(undefined);
      await new Promise<void>((close) => {
        resolve(
          openedOf(reading, async () => {
            close();
            await done;
          }),
        );
      });
    });
    done.catch(reject);
  });
}

function openedOf(reading: Reading, close: () => Promise<void>): Opened {
  let blame: Blame | undefined;
  return {
    reading,
    look: () => lookAtAll(atOnce(reading)),
    changes: (between) => changesIn({ ...reading, expand: true }, between && rangeOf(reading, between))(),
    audit: (path) => auditOf(reading, path),
    blame: () => {
      blame ??= new Blame(reading.session.journal, Journal.start);
      return blame;
    },
    close,
  };
}

function lookAtAll(reading: Reading): Look {
  return {
    listed: changesIn(reading, undefined),
    found: () => foundInSteps(reading),
    notices: () => noticeSteps(reading, toBytePath(reading.layout.project)),
  };
}

function rangeOf(
  reading: Reading,
  { a, b }: { readonly a: number; readonly b: number | undefined },
): Parameters<typeof foundIn>[1] {
  const range = parseRange(`${a}..${b ?? ''}`, timelineOf(reading));
  if ('error' in range) throw new UserError(range.error);
  return range;
}

function* auditOf(reading: Reading, path: Parameters<Opened['audit']>[0]): Generator<AuditRecord, void> {
  const { journal } = reading.session;
  const index = indexJournal(journal, Journal.start);
  for (const entry of audit(journal, index, { paths: [path] })) {
    const { time, generation, who, command } = entry;
    yield {
      ...{ time: rfc3339(time), generation, what: auditWord(entry) },
      ...(who.process === undefined ? {} : { process: label(who.process) }),
      ...(who.pid === 0 ? {} : { pid: who.pid }),
      ...(command === undefined ? {} : { command: label(command) }),
    };
  }
}
