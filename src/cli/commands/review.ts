/** `yolofs review`: what is staged, and what is to become of it; `-p` one hunk after the other. */
import type { Command } from 'commander';
import type { Layout } from '../../history/layout.ts';
import { offerReview } from '../review/offer.ts';
import { pickHunks } from '../review/pick-hunks.ts';
import { sessionOf } from '../session.ts';

export function define(command: Command): void {
  command.option('-p, --patch', 'decide one hunk after the other, as in git add -p').action(review);
}

async function review({ patch }: { readonly patch?: true }, command: Command): Promise<void> {
  const session: Layout = sessionOf(command);
  if (patch) await pickHunks(session);
  else await offerReview(session);
}
