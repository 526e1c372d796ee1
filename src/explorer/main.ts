// Starts the explorer: reads the address and the key, draws the page, and writes each new question into the address.

import { render } from 'preact';
import { copyWithHyphens } from './copyWithHyphens.ts';
import { html } from './htmTemplate.ts';
import { readPageAddress, writePageAddress } from './model/pageAddress.ts';
import type { Question } from './model/question.ts';
import { readSessionKey, storeSessionKey } from './sessionKey.ts';
import { StateStore } from './stateStore.ts';
import { ExplorerPage } from './views/explorerPage.ts';

/** The address of the service, with a slash at the end. A proxy may serve it below a path of its own. */
const root = new URL(document.documentElement.dataset.root ?? './', location.href).href;

const read = () => readPageAddress(location.href.slice(root.length).split(/[?#]/)[0] ?? '', location.search);

let { question, ignored } = read();

const store = new StateStore({
  root,
  question,
  nowMs: () => Date.now(),
  onChange: draw,
  onKey: storeSessionKey,
});

/** Asks another question. The type `Go` describes the arguments. */
function go(next: Question, entry: 'push' | 'replace' = 'push'): void {
  const address = root + writePageAddress(next);
  if (address !== location.href) history[`${entry}State`](null, '', address);
  question = next;
  ignored = [];
  store.ask(next);
}

addEventListener('popstate', () => {
  ({ question, ignored } = read());
  store.ask(question);
});

addEventListener('copy', copyWithHyphens);

// A month may have been published, or rolled back, while the tab was in the background.
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) store.reloadFactsIfOld();
});

function draw(): void {
  const mount = document.getElementById('app');
  if (mount === null) return;
  const props = { state: store.state, requestsLeft: store.requestsLeft, question, ignored, store, go, root };
  render(html`<${ExplorerPage} ...${props} />`, mount);
}

const key = readSessionKey();
if (key === null) draw();
else store.useKey(key);
