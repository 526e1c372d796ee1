// The whole page: its frame, and in it the form for the key, the content, or a notice.

import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { DEFAULT_QUESTION } from '../model/question.ts';
import { ANSWER, FRAME, SERVICE } from '../texts/pageTexts.ts';
import { Button } from './button.tsx';
import { EntityPage } from './entityPage.tsx';
import { KeyForm } from './keyForm.tsx';
import { ProblemNotice } from './problemNotice.tsx';
import type { PageProps } from './props.ts';
import { QuestionLink } from './questionLink.tsx';
import { Waiting } from './waiting.tsx';
import { Workspace } from './workspace.tsx';

/** The page, which is drawn anew whenever its state changes. */
export function ExplorerPage(props: PageProps): VNode {
  const { state, requestsLeft, store, go, root } = props;
  useEffect(() => {
    if (state.kind !== 'open') document.title = SERVICE;
  }, [state.kind]);
  const minute = requestsLeft?.minute;
  const day = requestsLeft?.day;
  return (
    <div class="page">
      <a class="skip" href="#main">
        {FRAME.skip}
      </a>
      <header class="masthead">
        <QuestionLink class="brand" question={DEFAULT_QUESTION} go={go} root={root}>
          {MARK}
          <span>{SERVICE}</span>
        </QuestionLink>
        <nav class="masthead-end" aria-label={FRAME.service}>
          <a href={`${root}docs`}>{FRAME.docs}</a>
          {state.kind !== 'locked' && (
            <span class="key-state">
              {minute !== undefined && (
                <span class="quiet" title={FRAME.left}>
                  {FRAME.leftNow(minute, day !== undefined && day < 1000 ? day : null)}
                </span>
              )}
              <Button look="text" onClick={store.forgetKey}>
                {FRAME.forget}
              </Button>
            </span>
          )}
        </nav>
      </header>
      <main id="main" tabindex={-1}>
        {content(props)}
      </main>
    </div>
  );
}

const MARK = (
  <svg viewBox="0 0 16 16" aria-hidden="true" focusable="false">
    <rect x="1" y="9" width="3.6" height="6" rx="1" />
    <rect x="6.2" y="5" width="3.6" height="10" rx="1" />
    <rect x="11.4" y="1" width="3.6" height="14" rx="1" />
  </svg>
);

function content(props: PageProps): VNode {
  const { state, store, question } = props;
  const { page } = question;
  switch (state.kind) {
    case 'locked':
      return <KeyForm why={state.why} onKey={store.useKey} />;
    case 'starting':
      return <Waiting text={ANSWER.opening} />;
    case 'waiting':
      return (
        <ProblemNotice
          problem={state.problem}
          {...props}
          retry={store.retry}
          snapshots={[]}
          hasOldAnswer={false}
        />
      );
    case 'open':
      return page.kind === 'explore' ? (
        <Workspace {...props} openState={state} />
      ) : (
        <EntityPage key={page.name} {...props} kind={page.kind} name={page.name} openState={state} />
      );
  }
}
