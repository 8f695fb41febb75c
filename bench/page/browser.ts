/** Chromium before the review page: what a person waits for, and how long the page's one thread is taken by a task. */
import { type Browser, chromium, type Page } from 'playwright-core';

const CHROMIUM = '/usr/bin/chromium';
const PATIENCE_MS = 120_000;
/** Two frames: what a task has left to draw is drawn then. */
const DRAWN = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))';
const WATCH_TASKS = `
  window.longest = 0;
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.longest = Math.max(window.longest, duration);
  }).observe({ type: 'longtask', buffered: true });`;

export class Reviewed {
  readonly page: Page;
  readonly #browser: Browser;

  private constructor(browser: Browser, page: Page) {
    this.#browser = browser;
    this.page = page;
  }

  /** Opens an address of `yolofs review`; as root Chromium has no sandbox, and opens nothing but our own page. */
  static async open(address: string): Promise<Reviewed> {
    const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'], timeout: PATIENCE_MS });
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    page.setDefaultTimeout(PATIENCE_MS);
    await page.addInitScript(WATCH_TASKS);
    await page.goto(address);
    return new Reviewed(browser, page);
  }

  /** Milliseconds from the navigation to the first thing that was painted. */
  async firstPaint(): Promise<number> {
    return this.page.evaluate(`performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN`);
  }

  /** Milliseconds from the navigation until now. */
  async now(): Promise<number> {
    return this.page.evaluate('performance.now()');
  }

  /** How long `what` takes until it is drawn. */
  async timed(what: () => Promise<void>): Promise<number> {
    const start = performance.now();
    await what();
    await this.page.evaluate(DRAWN);
    return performance.now() - start;
  }

  /** The longest task since this was last asked, in milliseconds; tasks below 50 count as none. */
  async longestTask(): Promise<number> {
    await this.page.evaluate(DRAWN);
    const longest = await this.page.evaluate<number>('window.longest');
    await this.page.evaluate('window.longest = 0');
    return longest;
  }

  close(): Promise<void> {
    return this.#browser.close();
  }
}
