// Shows the filters as chips, which can be removed. Default filters are among them, with their reasons.

import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Answer } from '../api/answerQuestion.ts';
import { countOf, valueLabel } from '../labels.ts';
import { yearsText } from '../model/numberFormats.ts';
import { type Question, withFilter } from '../model/question.ts';
import { type DefaultFilter, type Selection, withoutDefault } from '../model/selection.ts';
import { CHIPS, DEFAULT_REASONS } from '../texts/filterTexts.ts';
import { Button } from './button.tsx';
import type { Go } from './props.ts';

export interface ChipsProps {
  readonly question: Question;
  readonly answer: Answer;
  readonly go: Go;
}

interface Chip {
  readonly text: string;
  readonly why: string | null;
  readonly questionWithout: Question;
}

/** How many values of a dimension have a chip each. More values share one chip. */
const MAX_SINGLE_CHIPS = 4;

/**
 * The chips of the snapshot and the filters; nothing when there are none. When a chip is removed, the focus moves to the
 * last of the others.
 */
export function Chips({ question, answer, go }: ChipsProps): VNode | null {
  const list = useRef<HTMLUListElement>(null);
  /** How many chips there were before one was removed, until the focus has been moved; otherwise null. */
  const chipsBefore = useRef<number | null>(null);
  // A filter on a dimension that the data does not have gets no chip.
  const unknown = answer.unknownNames.flatMap(({ kind, name }) => (kind === 'dimension' ? [name] : []));
  const chips = [
    ...asOfChips(question),
    ...assumedChips(question, answer.selection),
    ...chosenChips(question, unknown),
  ];
  useEffect(() => {
    if (chipsBefore.current === null || chips.length >= chipsBefore.current) return;
    chipsBefore.current = null;
    // When a button that has the focus is removed, the focus moves to `body`. If the focus is elsewhere, it stays there.
    if (document.activeElement !== document.body) return;
    const last = [...(list.current?.querySelectorAll<HTMLElement>('.chip button') ?? [])].at(-1);
    (last ?? document.getElementById('main'))?.focus({ preventScroll: true });
  }, [chips.length]);
  const drop = (questionWithout: Question) => {
    chipsBefore.current = chips.length;
    go(questionWithout);
  };
  if (chips.length === 0) return null;
  return (
    <ul class="chips" aria-label={CHIPS.label} ref={list}>
      {chips.map(({ text, why, questionWithout }) => (
        <li class={why === null ? 'chip' : 'chip assumed'} title={why ?? undefined}>
          <bdi>{text}</bdi>
          <button type="button" aria-label={CHIPS.drop(text)} onClick={() => drop(questionWithout)}>
            ×
          </button>
        </li>
      ))}
      {Object.keys(question.filters).length > 1 && (
        <li class="screen-only">
          <Button
            look="text"
            onClick={() => drop({ ...question, filters: {}, firstYear: null, lastYear: null })}
          >
            {CHIPS.dropAll}
          </Button>
        </li>
      )}
    </ul>
  );
}

/** The chip of an older snapshot, so that nobody mistakes its data for the current data. */
const asOfChips = (question: Question): Chip[] =>
  question.asOf === ''
    ? []
    : [{ text: CHIPS.asOf(question.asOf), why: null, questionWithout: { ...question, asOf: '' } }];

function assumedChips(question: Question, selection: Selection): Chip[] {
  return selection.defaultFilters.map(({ dimension, why }) => {
    const text = assumedText(selection, dimension, why);
    return {
      text,
      why: DEFAULT_REASONS[why],
      questionWithout: withoutDefault(question, selection, dimension),
    };
  });
}

function assumedText(
  { period, years, filters }: Selection,
  dimension: string,
  why: DefaultFilter['why'],
): string {
  if (why === 'full coverage' && period !== null)
    return yearsText(period.first, Math.min(period.last, years.at(-1) ?? period.last));
  if (why === 'states') return CHIPS.states;
  const values = filters[dimension] ?? [];
  return values.length > 2
    ? countOf(dimension, values.length)
    : values.map((value) => valueLabel(dimension, value)).join(', ');
}

function chosenChips(question: Question, unknown: readonly string[]): Chip[] {
  return Object.entries(question.filters).flatMap(([dimension, values]) => {
    if (unknown.includes(dimension)) return [];
    if (values.length > MAX_SINGLE_CHIPS)
      return [
        {
          text: countOf(dimension, values.length),
          why: null,
          questionWithout: withFilter(question, dimension, []),
        },
      ];
    return values.map((value) => ({
      text: valueLabel(dimension, value),
      why: null,
      questionWithout: withFilter(
        question,
        dimension,
        values.filter((one) => one !== value),
      ),
    }));
  });
}
