// Starts the explorer: reads the address and the key, draws the page, and writes each new question into the address.

import { h, render } from 'preact';
import { copyWithHyphens } from './copyWithHyphens.ts';
import { readPageAddress, writePageAddress } from './model/pageAddress.ts';
import type { Question } from './model/question.ts';
import { readSessionKey, storeSessionKey } from './sessionKey.ts';
import { StateStore } from './stateStore.ts';
import { ExplorerPage } from './views/explorerPage.tsx';
import { FaultNotice } from './views/faultNotice.tsx';

/** The address of the service, with a slash at the end. A proxy may serve it below a path of its own. */
const root = new URL(document.documentElement.dataset.root ?? './', location.href).href;

const mount = document.getElementById('app');

const read = () => readPageAddress(location.href.slice(root.length).split(/[?#]/)[0] ?? '', location.search);

const atStart = read();
let { ignored } = atStart;

const store = new StateStore({
  root,
  question: atStart.question,
  onChange: draw,
  onKey: storeSessionKey,
});

/** Asks another question. The type `Go` describes the arguments. */
function go(next: Question, entry: 'push' | 'replace' = 'push'): void {
  const address = root + writePageAddress(next);
  if (address !== location.href) history[`${entry}State`](null, '', address);
  ignored = [];
  store.ask(next);
}

addEventListener('popstate', () => {
  const parsed = read();
  ({ ignored } = parsed);
  store.ask(parsed.question);
});

addEventListener('copy', copyWithHyphens);

// A month may have been published, or rolled back, while the tab was in the background.
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) store.reloadFactsIfOld();
});

// After an error, the page may go on showing the answer to the question before, or wait for ever.
addEventListener('error', ({ error }) => showFault(error));
addEventListener('unhandledrejection', ({ reason }) => showFault(reason));

/** Shows the notice of an error in this script. Extensions of the browser make errors in the same page. */
function showFault(fault: unknown): void {
  if (!(fault instanceof Error) || !fault.stack?.includes(import.meta.url)) return;
  if (document.querySelector('.fault') !== null) return;
  const place = document.createElement('div');
  place.className = 'fault';
  document.body.prepend(place);
  render(h(FaultNotice, null), place);
}

function draw(): void {
  if (mount === null) return;
  const { state, requestsLeft, question } = store;
  render(h(ExplorerPage, { state, requestsLeft, question, ignored, store, go, root }), mount);
}

const key = readSessionKey();
if (key === null) draw();
else store.useKey(key);
