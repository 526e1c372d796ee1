// The answer's frame: title, tabs, troubles, and the view that was chosen.

import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { html } from '../html.ts';
import { VIEWS, type View } from '../model/question.ts';
import { titleOf } from '../model/summary.ts';
import { SERVICE, VIEW_LABELS } from '../texts.ts';
import { AboutView } from './aboutView.ts';
import { ChartView } from './chartView.ts';
import { Chips } from './chips.ts';
import { CodeView } from './codeView.ts';
import { CompareView } from './compareView.ts';
import { Empty } from './empty.ts';
import { Mistakes, TroubleNotice } from './notices.ts';
import type { AnswerProps, ViewProps } from './props.ts';
import { TableView } from './tableView.ts';
import { TakeAlong } from './takeAlong.ts';

export function Answer(props: AnswerProps): VNode {
  const { open, question, ignored, go } = props;
  const { work } = open;
  const { shown } = work;
  const title = shown === null ? null : titleOf(shown.counted.selection);
  useEffect(() => {
    if (title !== null) document.title = `${title} · ${SERVICE}`;
  }, [title]);
  const hasHeading = shown !== null && isShowable(props);
  return html`<section class="answer" aria-busy=${work.kind === 'asking'}>
    ${!hasHeading && html`<h1 class="unseen">${title ?? SERVICE}</h1>`}
    <${Mistakes} mistakes=${shown?.mistakes ?? []} ignored=${ignored} />
    ${shown !== null && html`<${Chips} question=${question} counted=${shown.counted} go=${go} />`}
    <nav class="tabs" aria-label="Views">
      ${VIEWS.map((view) => html`<button type="button" aria-current=${view === question.view ? 'page' : undefined} onClick=${() => go({ ...question, view })}>${VIEW_LABELS[view]}</button>`)}
    </nav>
    ${work.kind === 'stopped' && html`<${TroubleNotice} trouble=${work.trouble} ...${props} />`}
    ${
      shown !== null &&
      isShowable(props) &&
      html`<div class=${work.kind === 'shown' ? 'view' : 'view is-old'}>
      ${viewOf({ ...props, shown })}
      <${TakeAlong} ...${props} shown=${shown} />
    </div>`
    }
    ${shown === null && work.kind === 'asking' && html`<p class="wait" role="status">Asking…</p>`}
  </section>`;
}

/** What was shown before stays while the next answer comes, but not under the title of something else. */
const isShowable = ({ open, question }: AnswerProps): boolean => {
  const { work } = open;
  if (work.shown === null) return false;
  if (work.kind === 'stopped') return 'untilMs' in work.trouble;
  return work.shown.question.view === question.view;
};

function viewOf(props: ViewProps): VNode {
  const { shown } = props;
  const view: View = shown.question.view;
  if (view === 'about') return html`<${AboutView} ...${props} />`;
  if (shown.counted.counts.meta.row_count === 0 && view !== 'compare') return html`<${Empty} ...${props} />`;
  switch (view) {
    case 'chart':
      return html`<${ChartView} ...${props} />`;
    case 'table':
      return html`<${TableView} ...${props} />`;
    case 'compare':
      return html`<${CompareView} ...${props} />`;
    case 'code':
      return html`<${CodeView} ...${props} />`;
  }
}
