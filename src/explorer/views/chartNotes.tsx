// The notes on the numbers of a chart: forecasts, coverage, missing values, and what is left out.

import type { VNode } from 'preact';
import {
  type ChartData,
  drawnYears,
  isLeftOutNote,
  isMixed,
  type LeftOutNote,
  type Note,
} from '../model/chartData.ts';
import { type Question, withFilter } from '../model/question.ts';
import { isWithin, type Years } from '../model/selection.ts';
import { hasForecastIn, type Series, yearsIn } from '../model/series.ts';
import { shortList } from '../model/summary.ts';
import { NOTES } from '../texts/chartTexts.ts';
import { Button } from './button.tsx';
import type { ChartContent } from './drawChart.ts';
import type { Go } from './props.ts';

interface NotesProps {
  readonly data: ChartData;
  /** The year that bars show; null for all other charts. */
  readonly onlyYear: number | null;
  readonly question: Question;
  readonly go: Go;
}

/** The notes on the numbers of a chart. Notes on countries that are left out are in the headline. */
export function NotesList({ data, onlyYear, question, go }: NotesProps): VNode | null {
  const { series, selection } = data;
  const partly = partlyForecast(
    series,
    onlyYear === null ? drawnYears(data) : { first: onlyYear, last: onlyYear },
  );
  const items: (string | VNode)[] = [];
  if (partly.length > 0) items.push(NOTES.partly(partly.join(', ')));
  for (const one of onlyYear === null ? data.breaks : []) {
    const { year, beginning, ending, missingCount, missingCountBefore } = one;
    if (beginning.length > 0) items.push(NOTES.began(year, beginning.length, shortList(beginning)));
    if (ending.length > 0) items.push(NOTES.ended(year, ending.length, shortList(ending)));
    if (Math.abs(missingCount - missingCountBefore) > beginning.length + ending.length)
      items.push(NOTES.missingIn(one));
    // If sums mix reported and estimated values, their years are gaps, and the note `mixed` says so.
    else if (beginning.length + ending.length === 0 && !isMixed(data)) items.push(NOTES.detail(year));
  }
  for (const note of data.notes) if (!isLeftOutNote(note)) items.push(noteText(note, question, go));
  if (selection.by === 'state') items.push(NOTES.states);
  return items.length === 0 ? null : (
    <ul class="notes">
      {items.map((item) => (
        <li>{item}</li>
      ))}
    </ul>
  );
}

function noteText(note: Exclude<Note, LeftOutNote>, question: Question, go: Go): string | VNode {
  switch (note.kind) {
    case 'other':
      return NOTES.other(note.members);
    case 'no other':
      return NOTES.noOther(note.members, note.areTooMany);
    case 'missing':
      return NOTES.missing(note.values, note.isOfAllYears);
    case 'left out':
      return NOTES.leftOut(note.drawn, note.all);
    case 'mixed':
      return (
        <span>
          {NOTES.mixed(note.points)}{' '}
          <Button look="text" onClick={() => go(withFilter(question, note.dimension, ['Reported']))}>
            {NOTES.reportedOnly}
          </Button>
        </span>
      );
  }
}

/** Says which countries the sums leave out, and why. */
export const leftOutText = ({ kind, countries }: LeftOutNote): string =>
  NOTES.leftOutCountries[kind](shortList(countries), countries.length);

/** Says for a chart which countries its sums leave out, and why. */
export const leftOutTexts = ({ notes }: ChartData): string[] => notes.filter(isLeftOutNote).map(leftOutText);

/**
 * The notes of a picture on countries and series that it does not show. The title of the picture names the whole, so the
 * picture must say what is missing.
 */
export const pictureNotes = ({ data, kind }: ChartContent): string[] => {
  const undrawn = data.notes.reduce((sum, note) => sum + undrawnSeries(note, kind), 0);
  return [...leftOutTexts(data), ...(undrawn > 0 ? [NOTES.undrawn(undrawn)] : [])];
};

function undrawnSeries(note: Note, kind: ChartContent['kind']): number {
  if (note.kind === 'left out') return note.all - note.drawn;
  // A stacked chart draws the series `other`.
  return note.kind === 'no other' || (note.kind === 'other' && kind !== 'areas') ? note.members : 0;
}

/** The years of a period in which some values are forecasts and some are not. */
const partlyForecast = (series: readonly Series[], period: Years): number[] =>
  yearsIn(series).filter(
    (year) =>
      isWithin(year, period) &&
      hasForecastIn(series, year) &&
      series.some(({ points }) =>
        points.some((point) => point.year === year && point.value !== null && point.forecastShare < 1),
      ),
  );
