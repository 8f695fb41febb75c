/** `yolofs review`: serves the page, says where, and shows it in the person's browser where there is one. */
import { join } from 'node:path';
import type { Layout } from '../../history/layout.ts';
import { ASSETS } from '../../page/assets.ts';
import { servePage } from '../../page/server/serve.ts';
import { SystemError } from '../../sys/errno.ts';
import { removeName, replaceText } from '../../sys/files/text-files.ts';
import { findTool, startProcess } from '../../sys/process/process.ts';
import { pageHost } from './page-host.ts';

/** What a browser needs to be found and shown. */
const PASSED_ON = [
  ...['DISPLAY', 'WAYLAND_DISPLAY', 'XAUTHORITY', 'DBUS_SESSION_BUS_ADDRESS', 'XDG_RUNTIME_DIR', 'XDG_CURRENT_DESKTOP'],
  ...[
    'XDG_SESSION_TYPE',
    'XDG_CONFIG_HOME',
    'XDG_DATA_DIRS',
    'XDG_CONFIG_DIRS',
    'HOME',
    'USER',
    'LANG',
    'BROWSER',
    'PATH',
  ],
];

/** Until the page asks for its end, or Ctrl-C. */
export async function openPage(session: Layout, isOpened: boolean): Promise<void> {
  const served = await servePage(pageHost(session), ASSETS);
  const address = served.newAddress();
  const file = join(session.entry, `review-${process.pid}.html`);
  const interrupted = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
  });
  try {
    process.stdout.write(`${address}\n`);
    process.stderr.write('the review page is at this address, for one window; Ctrl-C ends it\n');
    if (isOpened) show(file, address);
    await Promise.race([served.ended, interrupted]);
  } finally {
    removeName(file);
    await served.close();
  }
}

/**
 * Others can read the words that a program was started with, and the address lets in whoever comes first: so what is opened is
 * a file that leads there, in the session's entry of the registry, where nobody else and nothing in the view gets.
 */
function show(file: string, address: string): void {
  const [tool, env] = [findTool('xdg-open'), process.env];
  if (tool === undefined || (env.DISPLAY === undefined && env.WAYLAND_DISPLAY === undefined)) return;
  const page = `<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0;url=${address}"><title>yolofs</title>\n`;
  replaceText(file, page, 0o600);
  const passed = Object.fromEntries(PASSED_ON.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));
  try {
    startProcess({ argv: [tool, file], env: passed, stdio: ['ignore', 'ignore', 'ignore'], detached: true }).unref();
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    process.stderr.write(`no browser could be started: ${error.message}\n`);
  }
}
