// The whole page. Depending on its state, it shows the form for the key, the content, or a notice.

import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { html } from '../html.ts';
import { ANSWER, SERVICE } from '../texts/page.ts';
import { EntityPage } from './entityPage.ts';
import { Frame } from './frame.ts';
import { KeyForm } from './keyForm.ts';
import { TroubleNotice } from './notices.ts';
import type { AppProps } from './props.ts';
import { Workspace } from './workspace.ts';

/** The page, which is drawn anew whenever its state changes. */
export function App(props: AppProps): VNode {
  const { state } = props;
  useEffect(() => {
    if (state.kind !== 'open') document.title = SERVICE;
  }, [state.kind]);
  return html`<${Frame} ...${props}>${content(props)}<//>`;
}

function content(props: AppProps): VNode {
  const { state, store, question } = props;
  const { page } = question;
  switch (state.kind) {
    case 'locked':
      return html`<${KeyForm} why=${state.why} onKey=${store.useKey} />`;
    case 'starting':
      return html`<p class="wait" role="status">${ANSWER.opening}</p>`;
    case 'waiting':
      return html`<${TroubleNotice} trouble=${state.trouble} ...${props} snapshots=${[]} hasOldAnswer=${false} />`;
    case 'open':
      return page.kind === 'explore'
        ? html`<${Workspace} ...${props} open=${state} />`
        : html`<${EntityPage} key=${page.name} ...${props} kind=${page.kind} name=${page.name.normalize('NFC')} open=${state} />`;
  }
}
