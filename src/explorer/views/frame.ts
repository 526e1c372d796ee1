// The frame of the page: its name, a link to the documentation, and the state of the key.

import type { ComponentChildren, VNode } from 'preact';
import { html } from '../html.ts';
import { FIRST_QUESTION } from '../model/question.ts';
import { FRAME, SERVICE } from '../texts/page.ts';
import { Link } from './link.ts';
import type { AppProps } from './props.ts';

/** The frame around `children`. */
export function Frame(props: AppProps & { children?: ComponentChildren }): VNode {
  const { state, limits, store, root, children } = props;
  const minute = limits?.left.minute;
  const day = limits?.left.day;
  return html`<div class="page">
    <a class="skip" href="#main">${FRAME.skip}</a>
    <header class="masthead">
      <${Link} class="brand" question=${FIRST_QUESTION} ...${props}>${MARK}<span>${SERVICE}</span><//>
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
    <main id="main" tabindex="-1">${children}</main>
  </div>`;
}

const MARK = html`<svg viewBox="0 0 16 16" aria-hidden="true" focusable="false"><rect x="1" y="9" width="3.6" height="6" rx="1" /><rect x="6.2" y="5" width="3.6" height="10" rx="1" /><rect x="11.4" y="1" width="3.6" height="14" rx="1" /></svg>`;
