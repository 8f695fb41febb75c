/** Puts the page's server together. */

import type { PageHost } from './host.ts';
import type { Answer, Call, Handler } from './http/routes.ts';
import { PageServer } from './http/server.ts';
import { Acting } from './routes/acting.ts';
import { compare, comparedFile } from './routes/comparing.ts';
import { content } from './routes/content.ts';
import { decide, note } from './routes/deciding.ts';
import { audit, blame, timeline, travel } from './routes/history.ts';
import { entries, file, reviewSoon } from './routes/looking.ts';
import { answer, questions } from './routes/questions.ts';
import { sessions } from './routes/sessions.ts';
import { PageState } from './state.ts';
import { Watcher } from './watcher.ts';

export interface Served {
  /** Lets one window in; each call makes the last one's worthless. */
  newAddress(): string;
  /** Resolves when the page has asked for the end. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

/** `assets`: where the files of the page are. */
export async function servePage(host: PageHost, assets: string): Promise<Served> {
  const state = new PageState(host);
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const server = new PageServer({ assets, routes: routesOf(state, () => end()), report: (text) => host.report(text) });
  await server.listen();
  // While a browser starts; what fails is told when the page asks.
  void state.inTurn(() => state.model()).catch(() => undefined);
  const close = async (): Promise<void> => {
    await state.close();
    await server.close();
  };
  return { newAddress: () => server.newAddress(), ended, close };
}

function routesOf(state: PageState, end: () => void): ReadonlyMap<string, Handler> {
  const [acting, watcher] = [new Acting(state), new Watcher(state)];
  const inTurn: Record<string, (call: Call) => Promise<Answer>> = {
    'GET /api/entries': (call) => entries(state, call),
    'GET /api/file': (call) => (call.query.has('a') ? comparedFile(state, call) : file(state, call)),
    'GET /api/content': (call) => content(state, call),
    'GET /api/timeline': () => timeline(state),
    'GET /api/compare': (call) => compare(state, call),
    'GET /api/audit': (call) => audit(state, call),
    'GET /api/blame': (call) => blame(state, call),
    'POST /api/travel': (call) => travel(state, call),
    'POST /api/decide': (call) => decide(state, call),
    'POST /api/note': (call) => note(state, call),
    'POST /api/plan': (call) => acting.plan(call),
    'POST /api/commit': (call) => acting.commit(call),
    'POST /api/abort': (call) => acting.abort(call),
    'POST /api/undo': () => acting.undo(),
  };
  const routes = new Map<string, Handler>();
  for (const [name, handle] of Object.entries(inTurn)) routes.set(name, (call) => state.inTurn(() => handle(call)));
  routes.set('GET /api/review', (call) => reviewSoon(state, call));
  routes.set('GET /api/sessions', () => sessions(state));
  routes.set('GET /api/questions', () => questions(watcher));
  routes.set('POST /api/answer', (call) => answer(watcher, call));
  routes.set('GET /api/stream', async ({ request, response }) =>
    stream(state, request.headers['last-event-id'], response),
  );
  routes.set('POST /api/close', async () => {
    setImmediate(end);
    return {};
  });
  return routes;
}

function stream(state: PageState, last: string | string[] | undefined, response: Call['response']): Answer | undefined {
  response.setHeader('content-type', 'text/event-stream');
  if (state.stream.add(response, typeof last === 'string' ? last : undefined)) return undefined;
  return { status: 503, json: { error: { code: 'busy', message: 'too many windows' } } };
}
