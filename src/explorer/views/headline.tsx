// The headline of a chart: its title, its unit and years, and the countries that it leaves out.

import type { VNode } from 'preact';
import type { ChartData } from '../model/chartData.ts';
import { isExchangeRate } from '../model/facts.ts';
import { subtitleOf, titleOf } from '../model/summary.ts';
import { NOTES } from '../texts/chartTexts.ts';
import { leftOutTexts } from './chartNotes.tsx';

interface HeadlineProps {
  readonly data: ChartData;
  /** The year that bars show; null for all other charts. */
  readonly onlyYear: number | null;
}

/**
 * The headline of a chart. Its title does not say which countries the sums leave out, so they are listed right below
 * it.
 */
export function Headline({ data, onlyYear }: HeadlineProps): VNode {
  return (
    <figcaption class="headline">
      <h1>{titleOf(data.selection)}</h1>
      <p>
        {subtitleOf(data, onlyYear)}
        {atRate(data)}
      </p>
      {leftOutTexts(data).map((note) => (
        <p class="left-out">{note}</p>
      ))}
    </figcaption>
  );
}

/** The words that say that amounts in other currencies were converted; '' when they do not apply. */
export function atRate({ metric, selection }: ChartData): string {
  const code = selection.filters.fx?.[0];
  if (isExchangeRate(metric) || code === undefined) return '';
  return code === 'USD' || code === 'EUR' ? NOTES.atRate : '';
}
