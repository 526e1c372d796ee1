// Draws totals by year: bars for the change since the snapshot before, and below them a line for the present totals.

import { type Html, html } from '../../../src/text/html.ts';
import { amountText, changeText, exact, percent } from '../../messages/numbers.ts';
import { tableHtml } from '../sections/sectionTable.ts';
import { totalMoveSize, type YearPoint } from '../totalsForReport.ts';
import { px, scale, ticks, yearTicks } from './scale.ts';

export interface TotalsChart {
  readonly title: string;
  readonly unit: string;
  /** The totals of the years, in ascending order of the years. */
  readonly points: readonly YearPoint[];
  /** Whether there is an earlier snapshot. The first snapshot has no changes to draw. */
  readonly compared: boolean;
  /** How many countries have rows in each year; null when the report does not list all countries. */
  readonly countries: ReadonlyMap<number, number> | null;
}

// Lengths are in units of the view box.
const WIDTH = 300;
const LEFT = 62;
const RIGHT = 294;
const TOP = 22;
const CHANGE_HEIGHT = 84;
const LEVEL_HEIGHT = 72;
const GAP = 30;
const AXIS = 20;

/** A figure with a collapsed table of its numbers below. */
export function totalsChart(series: TotalsChart): Html {
  const { title, unit, points, compared } = series;
  const largest = largestMove(points);
  const subtitle = [unit, compared ? moveText(largest) : ''].filter((part) => part !== '').join(' · ');
  return html`<figure>
<figcaption>${title}${subtitle === '' ? null : html` <span class="soft">${subtitle}</span>`}</figcaption>
${drawing(series, largest)}
<details><summary>Numbers of ${title}</summary>
${numbersTable(series)}</details>
</figure>
`;
}

const moveText = (largest: YearPoint | undefined): string =>
  largest === undefined ? 'no year moved' : `most: ${changeOf(largest)} in ${largest.year}`;

/** The year of a point: `2024`, `2025, 0.6 % forecast`, `2026, forecast`. */
function yearOf({ year, forecast }: YearPoint): string {
  if (forecast === 0) return String(year);
  return forecast === 1 ? `${year}, forecast` : `${year}, ${percent(forecast)} forecast`;
}

/** The numbers of a chart. The first snapshot has neither earlier totals nor changes. */
function numbersTable({ title, points, compared }: TotalsChart): Html {
  const label = `Numbers of ${title}`;
  if (!compared)
    return tableHtml({
      label,
      columns: [{ heading: 'year' }, { heading: 'total', number: true }],
      rows: points.map((point) => [yearOf(point), exact(point.after)]),
    });
  return tableHtml({
    label,
    columns: [
      { heading: 'year' },
      { heading: 'before', number: true },
      { heading: 'now', number: true },
      { heading: 'change', number: true },
    ],
    rows: points.map((point) => [
      yearOf(point),
      exact(point.before),
      exact(point.after),
      { shown: changeOf(point), value: point.relative ?? changeOf(point) },
    ]),
  });
}

const hasMoved = ({ before, after }: Pick<YearPoint, 'before' | 'after'>) => before !== after;

/** The text of a change; `gone` when the total is empty now. */
export function changeOf({
  before,
  after,
  relative,
}: Pick<YearPoint, 'before' | 'after' | 'relative'>): string {
  if (before === after) return changeText(0);
  return after === null ? 'gone' : changeText(relative);
}

const largestMove = (points: readonly YearPoint[]): YearPoint | undefined =>
  points.filter(hasMoved).sort((a, b) => totalMoveSize(b) - totalMoveSize(a))[0];

function drawing(series: TotalsChart, largest: YearPoint | undefined): Html {
  const { points, compared } = series;
  const years = points.map(({ year }) => year);
  const [first = 0, last = 0] = [years[0], years.at(-1)];
  // The axis is half a year longer at both ends, because the bars of the first and last year are centred on them.
  const x = scale(first - 0.5, last + 0.5, LEFT, RIGHT);
  const hasChanges = compared && largest !== undefined;
  const levelTop = TOP + (hasChanges ? CHANGE_HEIGHT + GAP : 0);
  const bottom = levelTop + LEVEL_HEIGHT;
  const forecast = forecastStart(points);
  return html`<svg viewBox="0 0 ${WIDTH} ${bottom + AXIS}" role="img" aria-label="${chartDescription(series, largest)}">
${forecast === undefined ? null : forecastShade(x(forecast - 0.5), bottom)}
${hasChanges ? changeBars(points, x, TOP) : null}
${totalsLine(series, x, levelTop)}
${yearTicks(first, last, 5).map((year) => html`<text class="m" x="${px(Math.min(x(year), WIDTH - 15))}" y="${bottom + AXIS - 5}">${year}</text>`)}
</svg>`;
}

/** The first year from which on forecasts are more than half of every total. The explorer tints its charts from there. */
const forecastStart = (points: readonly YearPoint[]): number | undefined =>
  points[points.findLastIndex(({ forecast }) => forecast <= 0.5) + 1]?.year;

const forecastShade = (left: number, bottom: number): Html =>
  html`<rect class="later" x="${px(left)}" y="${TOP}" width="${px(RIGHT - left)}" height="${bottom - TOP}"/><text class="e" x="${RIGHT}" y="${TOP - 8}">forecast</text>`;

/** A horizontal line with its label at the left. The line at zero is the axis. */
function gridLine(value: number, y: number, sign = ''): Html {
  const label = `${sign}${axisAmount(value)}`;
  const narrowed =
    label.length > FITTING_CHARACTERS
      ? html` textLength="${LABEL_WIDTH}" lengthAdjust="spacingAndGlyphs"`
      : null;
  return html`<line class="${value === 0 ? 'axis' : 'grid'}" x1="${LEFT}" x2="${RIGHT}" y1="${px(y)}" y2="${px(y)}"/><text class="e" x="${LABEL_WIDTH}" y="${px(y + 4)}"${narrowed}>${label}</text>`;
}

/** The room for the label of a grid line. */
const LABEL_WIDTH = LEFT - 6;
/** Longer labels are drawn narrower. Otherwise the edge of the chart would cut off their first digits. */
const FITTING_CHARACTERS = 8;
/** An amount with more characters is written with its power of ten, such as `1.25e19`. */
const AMOUNT_CHARACTERS = 9;

function axisAmount(value: number): string {
  const text = amountText(value);
  if (text.length <= AMOUNT_CHARACTERS) return text;
  return value.toExponential().replace('e+', 'e').replaceAll('-', '−');
}

/**
 * The bars of changes: upwards for more, downwards for less. The part of countries that had no row of the year in the
 * snapshot before has a dashed outline, because it is coverage and no revision.
 */
function changeBars(points: readonly YearPoint[], x: (year: number) => number, top: number): Html {
  const moves = points
    .filter(hasMoved)
    .map((point) => ({ point, ...partsOf(point) }))
    .filter(({ revised, joined }) => Number.isFinite(revised) && Number.isFinite(joined));
  const ends = moves.flatMap(({ revised, joined }) => [revised, joined, revised + joined]);
  const marks = ticks(Math.min(0, ...ends), Math.max(0, ...ends));
  const [low, high] = [marks[0] ?? 0, marks.at(-1) ?? 1];
  const y = scale(low, high, top + CHANGE_HEIGHT, top);
  const width = Math.max(2, Math.min(12, (x(1) - x(0)) * 0.72));
  const bar = (kind: string, year: number, from: number, to: number) => {
    const [upper, lower] = [Math.min(y(from), y(to)), Math.max(y(from), y(to))];
    return html`<rect class="${kind}" x="${px(x(year) - width / 2)}" y="${px(upper)}" width="${px(width)}" height="${px(Math.max(1, lower - upper))}"/>`;
  };
  const bars = moves.map(({ point, revised, joined }) => {
    const { year } = point;
    // Parts of the same sign are stacked. Those of different signs both begin at zero.
    const joinedFrom = Math.sign(revised) === Math.sign(joined) ? revised : 0;
    const revisedBar = revised === 0 ? null : bar(revised < 0 ? 'bar down' : 'bar', year, 0, revised);
    const joinedBar = joined === 0 ? null : bar('bar joined', year, joinedFrom, joinedFrom + joined);
    return html`<g>${revisedBar}${joinedBar}<title>${year}: ${changeOf(point)}</title></g>`;
  });
  // Leaves out an end whose label would overlap the label of zero.
  const axis = [low, high].filter((mark) => mark !== 0 && Math.abs(y(mark) - y(0)) >= 13);
  return html`<text x="${LEFT}" y="${top - 8}">change</text>
${[0, ...axis].map((mark) => gridLine(mark, y(mark), mark > 0 ? '+' : ''))}
${bars}`;
}

/**
 * The two parts of a total's change: from revisions, and from countries that had no row of the year in the earlier
 * snapshot.
 */
function partsOf({ before, after, joined }: YearPoint): { revised: number; joined: number } {
  const all = (after ?? 0) - (before ?? 0);
  return { revised: all - joined, joined };
}

/** The line of the present totals. It is interrupted where a total is missing, or where many countries begin or end. */
function totalsLine(
  { points, compared, countries }: TotalsChart,
  x: (year: number) => number,
  top: number,
): Html {
  const values = points.map(({ after }) => after ?? 0).filter(Number.isFinite);
  // The axis includes zero, so that heights are proportional to the totals.
  const marks = ticks(Math.min(0, ...values), Math.max(0, ...values));
  const [low, high] = [marks[0] ?? 0, marks.at(-1) ?? 1];
  const y = scale(low, high, top + LEVEL_HEIGHT, top);
  const breaks = breaksOf(points, countries);
  return html`<text x="${LEFT}" y="${top - 8}">${compared ? 'level now' : 'level'}</text>
${[...new Set([low, 0, high])].map((mark) => gridLine(mark, y(mark)))}
${levelLine(points, new Set(breaks.map(({ year }) => year)), x, y)}
${breakMarks(breaks, x, top)}`;
}

interface LineBreak {
  readonly year: number;
  /** The number of countries minus that of the year before. */
  readonly by: number;
}

/**
 * A year interrupts the line when the number of countries changes by at least this number and this share. The totals before
 * and after it are of different countries, so the step between them is not growth.
 */
const BREAK_COUNTRIES = 3;
const BREAK_SHARE = 0.05;

function breaksOf(points: readonly YearPoint[], countries: TotalsChart['countries']): LineBreak[] {
  if (countries === null) return [];
  return points.slice(1).flatMap(({ year }) => {
    const before = countries.get(year - 1) ?? 0;
    const by = (countries.get(year) ?? 0) - before;
    const isBreak = before > 0 && Math.abs(by) >= Math.max(BREAK_COUNTRIES, BREAK_SHARE * before);
    return isBreak ? [{ year, by }] : [];
  });
}

const BREAK_LABEL_WIDTH = 84;
const LEVEL_LABEL_WIDTH = 62;

/** A vertical line before each break. Larger breaks are labelled first, and labels that would overlap are left out. */
function breakMarks(breaks: readonly LineBreak[], x: (year: number) => number, top: number): Html {
  const positionOf = ({ year }: LineBreak) => x(year - 0.5);
  const labelled: LineBreak[] = [];
  for (const one of breaks.toSorted((a, b) => Math.abs(b.by) - Math.abs(a.by)))
    if (labelled.every((other) => Math.abs(positionOf(one) - positionOf(other)) > BREAK_LABEL_WIDTH))
      labelled.push(one);
  return html`${breaks.map((one) => breakMark(one, positionOf(one), top, labelled.includes(one)))}`;
}

function breakMark({ year, by }: LineBreak, x: number, top: number, isLabelled: boolean): Html {
  const text = `${by > 0 ? '+' : '−'}${Math.abs(by)} countries`;
  const leftmost = LEFT + LEVEL_LABEL_WIDTH + BREAK_LABEL_WIDTH / 2;
  const middle = Math.min(Math.max(x, leftmost), RIGHT - BREAK_LABEL_WIDTH / 2);
  const label = html`<text class="m s" x="${px(middle)}" y="${top - 8}">${text}</text>`;
  return html`<line class="break" x1="${px(x)}" x2="${px(x)}" y1="${top}" y2="${top + LEVEL_HEIGHT}"><title>${year}: ${text}</title></line>${isLabelled ? label : null}`;
}

/** The line of totals, in pieces between gaps and breaks. A piece of a single year is a dot. */
function levelLine(
  points: readonly YearPoint[],
  breaks: ReadonlySet<number>,
  x: (year: number) => number,
  y: (value: number) => number,
): Html {
  const runs: [number, number][][] = [];
  let last: number | null = null;
  for (const { year, after } of points) {
    // An infinite sum cannot be drawn.
    if (after === null || !Number.isFinite(after)) continue;
    if (last !== year - 1 || breaks.has(year)) runs.push([]);
    runs.at(-1)?.push([x(year), y(after)]);
    last = year;
  }
  const path = runs
    .filter((run) => run.length > 1)
    .map((run) => `M${run.map((point) => point.map(px).join(' ')).join('L')}`)
    .join('');
  const dots = runs.flatMap((run) => (run.length === 1 ? run : []));
  return html`${path === '' ? null : html`<path class="after" d="${path}"/>`}${dots.map(([cx, cy]) => html`<circle class="dot" cx="${px(cx)}" cy="${px(cy)}" r="2.5"/>`)}`;
}

function chartDescription(
  { title, points, compared, countries }: TotalsChart,
  largest: YearPoint | undefined,
): string {
  const ends = [points[0], points.at(-1)].map(
    (point) => `${point?.year} ${amountText(point?.after ?? null)}`,
  );
  const breaks = breaksOf(points, countries).map(
    ({ year, by }) =>
      `${year} has ${Math.abs(by)} countries ${by > 0 ? 'more' : 'fewer'} than the year before`,
  );
  const range = [`${title} by year, from ${ends[0]} to ${ends[1]}`, ...breaks].join('; ');
  if (!compared) return range;
  if (largest === undefined) return `${range}; no year moved`;
  return `${range}; ${points.filter(hasMoved).length} years moved, most ${largest.year}: ${changeOf(largest)}, from ${amountText(largest.before)} to ${amountText(largest.after)}`;
}
