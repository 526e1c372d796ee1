// The choice of the period: a slider with two handles, and two fields for typed years.

import type { VNode } from 'preact';
import { type Question, withFirstYear, withLastYear } from '../model/question.ts';
import type { Selection } from '../model/selection.ts';
import { FILTER_TEXTS } from '../texts/filterTexts.ts';
import type { Go } from './props.ts';

export interface PeriodProps {
  readonly question: Question;
  readonly go: Go;
  /** The selection of the last answer about this dataset; null before it. */
  readonly selection: Selection | null;
}

/** The choice, or nothing while the years are not known. */
export function PeriodControl({ question, go, selection }: PeriodProps): VNode | null {
  const firstYear = selection?.dataset.years.first ?? selection?.years[0];
  const lastYear = selection?.dataset.years.last ?? selection?.years.at(-1);
  if (selection === null || firstYear === undefined || lastYear === undefined) return null;
  const first = question.firstYear ?? selection.period?.first ?? firstYear;
  const last = question.lastYear ?? selection.period?.last ?? lastYear;
  const setFirst = (year: number) => go(withFirstYear(question, year), 'replace');
  const setLast = (year: number) => {
    if (question.lastYear !== null || year !== last) go(withLastYear(question, year), 'replace');
  };
  /** Takes a typed year. The field of anything else shows the year before again. */
  const takeTyped = (field: HTMLInputElement, take: (year: number) => void, before: number) => {
    const year = Number(field.value);
    if (Number.isInteger(year) && year >= 1000 && year <= 9999)
      take(Math.min(lastYear, Math.max(firstYear, year)));
    else field.value = String(before);
  };
  const position = (year: number) => `${((year - firstYear) / Math.max(1, lastYear - firstYear)) * 100}%`;
  const bounds = { min: firstYear, max: lastYear };
  const field = (label: string, year: number, setYear: (year: number) => void) => (
    <input
      type="number"
      inputmode="numeric"
      aria-label={label}
      {...bounds}
      value={year}
      onChange={(event) => takeTyped(event.currentTarget, setYear, year)}
    />
  );
  const handle = (label: string, year: number, setYear: (year: number) => void) => (
    <input
      type="range"
      aria-label={label}
      {...bounds}
      value={year}
      onInput={(event) => setYear(Number(event.currentTarget.value))}
    />
  );
  return (
    <fieldset class="period">
      <legend>{FILTER_TEXTS.period}</legend>
      <div class="years">
        {field(FILTER_TEXTS.firstYear, first, setFirst)}
        <span aria-hidden="true">{FILTER_TEXTS.to}</span>
        {field(FILTER_TEXTS.lastYear, last, setLast)}
      </div>
      <div class="slider" style={{ '--from': position(first), '--to': position(last) }}>
        {handle(FILTER_TEXTS.firstYear, first, setFirst)}
        {handle(FILTER_TEXTS.lastYear, last, setLast)}
      </div>
    </fieldset>
  );
}
