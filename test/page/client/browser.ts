/**
 * The review page in Debian's Chromium, by playwright: what a person would see and press. Nothing here waits for a time to pass,
 * only for what is to be seen.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { after, type TestContext } from 'node:test';
import { type Browser, type BrowserContextOptions, chromium, type Locator, type Page } from 'playwright-core';
import { isRoot } from '../../support/accounts.ts';
import { leaveOut } from '../../support/need.ts';
import type { Session } from '../../support/session.ts';

const PROGRAMS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const PATIENCE_MS = 60_000;

let browser: Promise<Browser> | undefined;
after(async () => (await browser)?.close());

/** Whether there is a Chromium; if not, the test is marked as left out and must return. On a build machine it is installed. */
export function hasChromium(t: TestContext): boolean {
  if (program() === undefined && isRoot && process.env.CI !== undefined) install();
  if (program() !== undefined) return true;
  leaveOut(t, `no Chromium: none of ${PROGRAMS.join(', ')}`);
  return false;
}

function program(): string | undefined {
  return PROGRAMS.find((path) => existsSync(path));
}

function install(): void {
  const apt = (...words: string[]): void => {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    execFileSync('apt-get', ['-qq', '-o', 'DPkg::Lock::Timeout=300', ...words], { env, stdio: 'ignore' });
  };
  apt('update');
  apt('install', '-y', '--no-install-recommends', 'chromium', 'fonts-dejavu-core');
}

function launched(): Promise<Browser> {
  const executablePath = program();
  assert.ok(executablePath !== undefined);
  // Chromium has no sandbox for root; what it opens here is our own page alone.
  browser ??= chromium.launch({ executablePath, args: isRoot ? ['--no-sandbox'] : [], timeout: PATIENCE_MS });
  return browser;
}

/** Runs `yolofs review` and opens its address; at the end nothing may have failed in the page, and the review ends by itself. */
export async function review(
  s: Session,
  use: (page: ReviewPage) => Promise<void>,
  options: BrowserContextOptions = {},
): Promise<void> {
  const { address, ended, end } = await served(s);
  const context = await (await launched()).newContext({ viewport: { width: 1280, height: 800 }, ...options });
  context.setDefaultTimeout(PATIENCE_MS);
  try {
    const page = new ReviewPage(await context.newPage());
    await page.enter(address);
    await use(page).catch((error: unknown) => page.tell(error));
    assert.deepEqual(page.complaints, []);
  } finally {
    await context.close();
    end();
    const { code, stderr } = await ended;
    assert.equal(code, 0, stderr);
  }
}

interface Served {
  readonly address: string;
  readonly ended: ReturnType<Session['cli']>;
  readonly end: () => void;
}

function served(s: Session): Promise<Served> {
  let pid = 0;
  let said = '';
  return new Promise((resolve, reject) => {
    const onStdout = (piece: Buffer): void => {
      said += piece.toString();
      const address = /^http\S+(?=\n)/.exec(said)?.[0];
      if (address !== undefined) resolve({ address, ended, end: () => process.kill(pid, 'SIGTERM') });
    };
    const onStart = (started: number): void => {
      pid = started;
    };
    const ended = s.cli(['review', '--no-open'], { onStdout, onStart, timeout: 5 * PATIENCE_MS });
    ended.then(({ stderr }) => reject(new Error(`no address: ${stderr}`)), reject);
  });
}

/** The page, by what a person calls its parts. */
export class ReviewPage {
  readonly page: Page;
  /** What the browser complains of: a script that failed, something that the page's policy forbids, a request that was refused. */
  readonly complaints: string[] = [];

  constructor(page: Page) {
    this.page = page;
    page.on('pageerror', (error) => this.complaints.push(error.message));
    page.on('console', (message) => {
      // The server refuses what has changed meanwhile, which the page then shows.
      const isRefusal = /status of 409/.test(message.text());
      if (['error', 'warning'].includes(message.type()) && !isRefusal) this.complaints.push(message.text());
    });
  }

  /** What stood on the page when something failed. */
  async tell(error: unknown): Promise<never> {
    const shown = await this.page.locator('body').ariaSnapshot();
    throw new Error(`${String(error)}\n${this.complaints.join('\n')}\nThe page showed:\n${shown}`, { cause: error });
  }

  async enter(address: string): Promise<void> {
    await this.page.goto(address);
    await this.page.getByRole('banner').waitFor();
  }

  /** The rows of the list that name this. */
  row(name: string): Locator {
    return this.page.getByRole('treeitem').filter({ hasText: name });
  }

  async open(name: string): Promise<void> {
    await this.row(name).first().click();
    await this.page.getByRole('heading', { name, level: 2 }).waitFor();
  }

  press(...keys: string[]): Promise<void> {
    return keys.reduce((before, key) => before.then(() => this.page.keyboard.press(key)), Promise.resolve());
  }

  /** The three buttons about something, and that one of them is pressed. */
  async isDecided(about: string | RegExp, word: 'Take' | 'Leave' | 'Reject'): Promise<void> {
    const buttons = this.page.getByRole('group', { name: about });
    await buttons.getByRole('button', { name: word, pressed: true }).waitFor();
  }

  /** Waits for something to stand on the page. */
  async shows(text: string | RegExp): Promise<void> {
    await this.page.getByText(text).first().waitFor();
  }
}
