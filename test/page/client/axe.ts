/** What axe-core says of the page as it is, and whether it is wider than the screen. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { ReviewPage } from './browser.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RUN = `axe.run().then(({ violations }) => violations.map(({ id, impact, nodes }) =>
  id + ' (' + impact + '): ' + nodes.slice(0, 3).map(({ html }) => html.slice(0, 200)).join(' | ')))`;

/** axe is no part of the page, so the page's policy would keep it out. */
export const WITH_AXE = { bypassCSP: true } as const;

/** Only of a page that was opened `WITH_AXE`. */
export async function isFine({ page }: ReviewPage, what: string): Promise<void> {
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.addScriptTag({ content: AXE });
  assert.deepEqual(await page.evaluate(RUN), [], what);
  const wide = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
  assert.ok(Number(wide) <= 0, `${what} is ${wide} pixels wider than the screen`);
}
