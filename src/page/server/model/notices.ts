/** What will run later, as the page shows it. */
import type { Notice } from '../../../history/commit/notices/notices.ts';
import { type Noticed, noticeGroups, whyOf } from '../../../review/notice-groups.ts';
import { label, ROOT, toBytePath } from '../../../sys/bytes.ts';
import type { ShownNotice, ShownNotices } from '../../protocol.ts';
import type { Model } from './model.ts';
import { idOf, shownPath } from './show.ts';

/** Of the changes in one line. */
const MOST_NAMED = 500;

/** The most telling first. `project` is text. */
export function shownNotices(notices: readonly Notice[], model: Model, project: string): ShownNotices[] {
  return noticeGroups(notices, toBytePath(project)).map(({ members, why, place }) => ({
    ...{ why, count: members.length },
    notices: members.slice(0, MOST_NAMED).map((one) => shownNotice(one, model)),
    ...(place === undefined
      ? {}
      : { place: { word: place.word, path: place.directory === ROOT ? '/' : `${label(place.directory)}/` } }),
  }));
}

function shownNotice(one: Noticed, model: Model): ShownNotice {
  const id = idOf(one.path);
  return { ...shownPath(one.path), why: whyOf(one), ...(model.entries.has(id) ? { id } : {}) };
}
