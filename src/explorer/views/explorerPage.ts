// The whole page: its frame, and in it the form for the key, the content, or a notice.

import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { html } from '../htmTemplate.ts';
import { DEFAULT_QUESTION } from '../model/question.ts';
import { ANSWER, FRAME, SERVICE } from '../texts/pageTexts.ts';
import { EntityPage } from './entityPage.ts';
import { KeyForm } from './keyForm.ts';
import { ProblemNotice } from './problemNotice.ts';
import type { PageProps } from './props.ts';
import { QuestionLink } from './questionLink.ts';
import { Workspace } from './workspace.ts';

/** The page, which is drawn anew whenever its state changes. */
export function ExplorerPage(props: PageProps): VNode {
  const { state, requestsLeft, store, root } = props;
  useEffect(() => {
    if (state.kind !== 'open') document.title = SERVICE;
  }, [state.kind]);
  const minute = requestsLeft?.minute;
  const day = requestsLeft?.day;
  return html`<div class="page">
    <a class="skip" href="#main">${FRAME.skip}</a>
    <header class="masthead">
      <${QuestionLink} class="brand" question=${DEFAULT_QUESTION} ...${props}>${MARK}<span>${SERVICE}</span><//>
      <nav class="masthead-end" aria-label=${FRAME.service}>
        <a href="${root}docs">${FRAME.docs}</a>
        ${
          state.kind !== 'locked' &&
          html`<span class="key-state">
          ${minute !== undefined && html`<span class="quiet" title=${FRAME.left}>${FRAME.leftNow(minute, day !== undefined && day < 1000 ? day : null)}</span>`}
          <button type="button" class="text-button" onClick=${store.forgetKey}>${FRAME.forget}</button>
        </span>`
        }
      </nav>
    </header>
    <main id="main" tabindex="-1">${content(props)}</main>
  </div>`;
}

const MARK = html`<svg viewBox="0 0 16 16" aria-hidden="true" focusable="false"><rect x="1" y="9" width="3.6" height="6" rx="1" /><rect x="6.2" y="5" width="3.6" height="10" rx="1" /><rect x="11.4" y="1" width="3.6" height="14" rx="1" /></svg>`;

function content(props: PageProps): VNode {
  const { state, store, question } = props;
  const { page } = question;
  switch (state.kind) {
    case 'locked':
      return html`<${KeyForm} why=${state.why} onKey=${store.useKey} />`;
    case 'starting':
      return html`<p class="wait" role="status">${ANSWER.opening}</p>`;
    case 'waiting':
      return html`<${ProblemNotice} problem=${state.problem} ...${props} retry=${store.retry} snapshots=${[]} hasOldAnswer=${false} />`;
    case 'open':
      return page.kind === 'explore'
        ? html`<${Workspace} ...${props} openState=${state} />`
        : html`<${EntityPage} key=${page.name} ...${props} kind=${page.kind} name=${page.name} openState=${state} />`;
  }
}
