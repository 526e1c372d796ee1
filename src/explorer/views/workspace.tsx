// The open explorer: the question on the left, the answer on the right. On a phone, the question is in a sheet.

import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { datasetNamed } from '../model/facts.ts';
import { rowCountOf } from '../model/selection.ts';
import { FILTER_TEXTS } from '../texts/filterTexts.ts';
import { AnswerColumn } from './answerColumn.tsx';
import { Button } from './button.tsx';
import { DataMenus } from './dataMenus.tsx';
import { Filters } from './filters.tsx';
import type { WorkspaceProps } from './props.ts';

/** The workspace. When the sheet opens, its first control gets the focus. */
export function Workspace(props: WorkspaceProps): VNode {
  const { openState, question } = props;
  const [isSheetOpen, setSheetOpen] = useState(false);
  const sheet = useRef<HTMLElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const dataset = datasetNamed(openState.facts, question.dataset);
  const { answer } = openState.progress;
  useEffect(() => {
    if (isSheetOpen) sheet.current?.querySelector<HTMLElement>('button, input, summary')?.focus();
  }, [isSheetOpen]);
  const close = () => {
    setSheetOpen(false);
    opener.current?.focus();
  };
  /** The sheet covers the page, so it closes when the focus moves out of it. */
  const leave = ({ relatedTarget }: FocusEvent) => {
    if (relatedTarget !== null && !sheet.current?.contains(relatedTarget as Node)) setSheetOpen(false);
  };
  // A filter that the dataset does not have is left out of the question.
  const chosen = (dataset?.dimensions ?? []).filter(
    ({ name }) => (question.filters[name] ?? []).length > 0,
  ).length;
  return (
    <div class="workspace">
      <DataMenus {...props} />
      <button
        type="button"
        class="button plain sheet-opener"
        ref={opener}
        aria-expanded={isSheetOpen}
        onClick={() => setSheetOpen(true)}
      >
        {FILTER_TEXTS.sheet}
        {chosen === 0 ? '' : ` (${chosen})`}
      </button>
      <aside
        class={isSheetOpen ? 'question is-open' : 'question'}
        ref={sheet}
        aria-label={FILTER_TEXTS.title}
        onKeyDown={(event) => isSheetOpen && event.key === 'Escape' && close()}
        onFocusOut={leave}
      >
        <div class="sheet-head">
          <h2>{FILTER_TEXTS.sheet}</h2>
        </div>
        {dataset !== undefined && <Filters {...props} dataset={dataset} />}
        <div class="sheet-foot">
          <Button look="filled" onClick={close}>
            {answer === null ? FILTER_TEXTS.showAnswer : FILTER_TEXTS.showRows(rowCountOf(answer))}
          </Button>
        </div>
      </aside>
      <div class="answer-column">
        <AnswerColumn {...props} dataset={dataset} />
      </div>
    </div>
  );
}
