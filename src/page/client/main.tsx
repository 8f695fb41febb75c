/** The review page: what a person sees of a session in the browser. */
import { render } from 'preact';
import { App } from './frame/app.tsx';
import { listenForKeys } from './keys/listen.ts';
import { openFirst } from './list/rows.ts';
import { start } from './state/session.ts';

const root = document.getElementById('app');
if (root !== null) {
  render(<App />, root);
  listenForKeys();
  void start().then(openFirst);
}
