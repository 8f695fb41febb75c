/**
 * Pictures of the page beside those that were looked at. Letters differ from one browser and font to the next, so squares of 16
 * pixels are compared by their mean: that shows where things are and in which colour, and hardly how a letter is drawn.
 */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { FAILED } from '../../support/report/take-down.ts';
import { REPOSITORY } from '../../support/source-files.ts';

const KEPT = join(REPOSITORY, 'test/page/client/pictures');
/** What is kept is so many times smaller, and then compared so many times smaller still. */
const COARSE = 4;
/** Of 255, in one of three colours: less is no difference. */
const VISIBLE = 12;
/** Percent of a picture that may be different. */
export const MOST_PERCENT = 3;
/** The browser may not have drawn yet what it was told last. */
const PATIENCE_MS = 20_000;

interface Compared {
  /** The coarse picture as PNG in base64. */
  readonly png: string;
  /** How many percent of it are not as in the other one. */
  readonly percent: number;
}

/**
 * Asserts that the page looks as in `pictures/NAME.png`. With YOLOFS_TEST_PICTURES=keep that becomes what it looks like now, for
 * somebody to look at; else a picture that differs is kept where failed tests leave what they have.
 */
export async function looksAs(page: Page, name: string): Promise<void> {
  const path = join(KEPT, `${name}.png`);
  const isToKeep = process.env.YOLOFS_TEST_PICTURES === 'keep';
  const kept = isToKeep || !existsSync(path) ? undefined : readFileSync(path);
  const { png, percent } = await settled(page, kept);
  if (isToKeep) {
    writeFileSync(path, png, 'base64');
    return;
  }
  if (kept !== undefined && percent <= MOST_PERCENT) return;
  mkdirSync(FAILED, { recursive: true });
  const place = join(FAILED, `${name}.png`);
  writeFileSync(place, png, 'base64');
  assert.fail(
    kept === undefined ? `no ${path}: it would be ${place}` : `${percent.toFixed(1)} % of ${place} differ from ${path}`,
  );
}

/** The page once it looks as it did, without a picture twice the same; or after a while. */
async function settled(page: Page, kept: Buffer | undefined): Promise<Compared> {
  let found = await difference(page, kept);
  for (const end = performance.now() + PATIENCE_MS; found.percent > MOST_PERCENT && performance.now() < end; )
    found = await difference(page, kept ?? Buffer.from(found.png, 'base64'));
  return found;
}

/** Of the page as it is and a coarse picture; all of it without one. */
export async function difference(page: Page, kept: Buffer | undefined): Promise<Compared> {
  const shot = await page.screenshot({ animations: 'disabled', mask: [page.locator('time')], maskColor: '#808080' });
  // The page's own policy lets no picture in.
  const bench = await page.context().newPage();
  try {
    const pictures = [shot, kept].map((png) => png?.toString('base64'));
    return await bench.evaluate(compare, { pictures, COARSE, VISIBLE });
  } finally {
    await bench.close();
  }
}

interface Asked {
  readonly pictures: readonly (string | undefined)[];
  readonly COARSE: number;
  readonly VISIBLE: number;
}

/** What it needs of the browser. */
declare const Image: new () => {
  src: string;
  readonly width: number;
  readonly height: number;
  decode(): Promise<void>;
};
declare const document: { createElement(name: 'canvas'): Canvas };

interface Canvas {
  width: number;
  height: number;
  getContext(kind: '2d'): Drawing | null;
  toDataURL(type: string): string;
}

interface Drawing {
  imageSmoothingQuality: string;
  drawImage(image: object, x: number, y: number, width: number, height: number): void;
  getImageData(x: number, y: number, width: number, height: number): { readonly data: Uint8ClampedArray };
}

/** Runs in the browser. */
async function compare({ pictures: [shot, kept], COARSE, VISIBLE }: Asked): Promise<Compared> {
  const drawn = async (png: string, scale: number) => {
    const image = new Image();
    image.src = `data:image/png;base64,${png}`;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = Math.round(image.width / scale);
    canvas.height = Math.round(image.height / scale);
    const context = canvas.getContext('2d');
    if (context === null) throw new Error('no canvas');
    context.imageSmoothingQuality = 'high';
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
    return { data, png: canvas.toDataURL('image/png').split(',')[1] ?? '' };
  };
  const { png } = await drawn(shot ?? '', COARSE);
  if (kept === undefined) return { png, percent: 100 };
  const [now, then] = [await drawn(png, COARSE), await drawn(kept, COARSE)];
  if (then.data.length !== now.data.length) return { png, percent: 100 };
  let different = 0;
  for (let at = 0; at < now.data.length; at += 4) {
    const isVisible = [0, 1, 2].some(
      (colour) => Math.abs((now.data[at + colour] ?? 0) - (then.data[at + colour] ?? 0)) > VISIBLE,
    );
    if (isVisible) different += 1;
  }
  return { png, percent: (different * 400) / now.data.length };
}
