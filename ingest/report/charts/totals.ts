// Draws totals by year, before and after as lines, and below them how far each year moved, in percent.

import { type Html, html } from '../../../src/html.ts';
import { amount, change, exact } from '../../messages/numbers.ts';
import { px, scale, ticks, yearTicks } from './scale.ts';

/** The total of a year, forecasts included. */
export interface Point {
  readonly year: number;
  readonly before: number | null;
  readonly after: number | null;
  /** (after − before) ÷ |before|; null when one is missing or `before` is 0. */
  readonly relative: number | null;
  /** Some of it, or all, is forecast. */
  readonly forecast: boolean;
}

export interface Series {
  readonly title: string;
  readonly unit: string;
  /** Ascending. */
  readonly points: readonly Point[];
  /** False for the first snapshot: there is no line before, and no change. */
  readonly compared: boolean;
}

const WIDTH = 340;
const LEFT = 60;
const RIGHT = 332;
const TOP = 20;
const LINES_HEIGHT = 112;
const STRIP_HEIGHT = 44;
const GAP = 24;

/** A figure with its numbers as a table below it. */
export function totalsChart({ title, unit, points, compared }: Series): Html {
  const moved = points.filter((point) => hasMoved(point));
  const largest = [...moved].sort((a, b) => size(b) - size(a))[0];
  const said = !compared
    ? ''
    : largest === undefined
      ? 'no year moved'
      : `most: ${change(largest.relative)} in ${largest.year}`;
  return html`<figure>
<figcaption>${title} <span class="soft">${unit}${said === '' ? '' : ` · ${said}`}</span></figcaption>
${drawing(title, points, compared, largest)}
<details><summary>Numbers of ${title}</summary>
<div class="wide" role="group" tabindex="0" aria-label="Numbers of ${title}">
<table><thead><tr><th scope="col">Year</th>${compared ? html`<th scope="col" class="n">Before</th>` : null}<th scope="col" class="n">${compared ? 'After' : 'Total'}</th>${compared ? html`<th scope="col" class="n">Change</th>` : null}</tr></thead>
<tbody>${points.map(
    (
      p,
    ) => html`<tr><th scope="row">${p.year}${p.forecast ? ' F' : ''}</th>${compared ? html`<td class="n">${exact(p.before)}</td>` : null}<td class="n">${exact(p.after)}</td>${compared ? html`<td class="n">${changeOf(p)}</td>` : null}</tr>
`,
  )}</tbody></table></div></details>
</figure>
`;
}

export const hasMoved = ({ before, after }: Pick<Point, 'before' | 'after'>) => before !== after;

/** A change in words: `gone` where nothing is left. */
export function changeOf({ before, after, relative }: Omit<Point, 'year' | 'forecast'>): string {
  if (before === after) return change(0);
  return after === null ? 'gone' : change(relative);
}

const size = ({ relative }: Point) => (relative === null ? Number.MAX_VALUE : Math.abs(relative));

function drawing(
  title: string,
  points: readonly Point[],
  compared: boolean,
  largest: Point | undefined,
): Html {
  const years = points.map(({ year }) => year);
  const [first = 0, last = 0] = [years[0], years.at(-1)];
  // Half a year of air at both ends, so that bars stand inside.
  const x = scale(first - 0.5, last + 0.5, LEFT, RIGHT);
  const bottom = TOP + LINES_HEIGHT;
  const strip = compared && largest !== undefined;
  const height = bottom + (strip ? GAP + STRIP_HEIGHT : 0) + 18;
  const values = points
    .flatMap(({ before, after }) => [before, after].map((value) => value ?? 0))
    .filter(Number.isFinite);
  // From zero, so that heights compare as the numbers do.
  const marks = ticks(Math.min(0, ...values), Math.max(0, ...values));
  const y = scale(marks[0] ?? 0, marks.at(-1) ?? 1, bottom, TOP);
  const forecast = points.find((point) => point.forecast)?.year;
  return html`<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${spoken(title, points, compared, largest)}">
${forecast === undefined ? null : html`<rect class="later" x="${px(x(forecast - 0.5))}" y="${TOP}" width="${px(RIGHT - x(forecast - 0.5))}" height="${height - TOP - 18}"/><text x="${px(Math.min(x(forecast - 0.5), RIGHT - 42))}" y="${TOP - 6}">forecast</text>`}
${marks.map((mark) => html`<line class="${mark === 0 ? 'axis' : 'grid'}" x1="${LEFT}" x2="${RIGHT}" y1="${px(y(mark))}" y2="${px(y(mark))}"/><text class="e" x="${LEFT - 5}" y="${px(y(mark) + 3.5)}">${amount(mark)}</text>`)}
${compared ? line('before', points, ({ before }) => before, x, y) : null}${line('after', points, ({ after }) => after, x, y)}
${strip ? changes(points, x, bottom + GAP) : null}
${yearTicks(first, last, 7).map((year) => html`<text class="m" x="${px(x(year))}" y="${height - 4}">${year}</text>`)}
</svg>`;
}

/** A line that breaks where there is no value; a value between two gaps is a dot. */
function line(
  kind: 'before' | 'after',
  points: readonly Point[],
  held: (point: Point) => number | null,
  x: (year: number) => number,
  y: (value: number) => number,
): Html {
  const runs: [number, number][][] = [];
  let last: number | null = null;
  for (const point of points) {
    const value = held(point);
    // A sum beyond what a number can hold has no place on an axis.
    if (value === null || !Number.isFinite(value)) continue;
    if (last !== point.year - 1) runs.push([]);
    runs.at(-1)?.push([x(point.year), y(value)]);
    last = point.year;
  }
  const path = runs
    .filter((run) => run.length > 1)
    .map((run) => `M${run.map((at) => at.map(px).join(' ')).join('L')}`)
    .join('');
  const alone = runs.flatMap((run) => (run.length === 1 ? run : []));
  const dots = alone.map(
    ([cx, cy]) =>
      html`<circle class="dot${kind === 'before' ? ' old' : ''}" cx="${px(cx)}" cy="${px(cy)}" r="${kind === 'before' ? 4 : 2.5}"/>`,
  );
  return html`${path === '' ? null : html`<path class="${kind}" d="${path}"/>`}${dots}`;
}

/** Bars from zero: upwards for more, downwards for less; a total that is new or gone has a sign instead. */
function changes(points: readonly Point[], x: (year: number) => number, top: number): Html {
  const relatives = points.map(({ relative }) => relative ?? 0);
  const marks = ticks(Math.min(0, ...relatives), Math.max(0, ...relatives));
  const [low = 0, high = 1] = [marks[0], marks.at(-1)];
  const y = scale(low, high, top + STRIP_HEIGHT, top);
  const width = Math.max(1, Math.min(8, (x(1) - x(0)) * 0.7));
  const bars = points.filter(hasMoved).map((point) => {
    const { year, relative } = point;
    if (relative === null) {
      const sign = point.after === null ? '×' : '+';
      return html`<text class="m s" x="${px(x(year))}" y="${px(y(0) - 2)}">${sign}</text>`;
    }
    const tall = Math.max(1, Math.abs(y(relative) - y(0)));
    const at = relative > 0 ? y(0) - tall : y(0);
    return html`<rect class="bar${relative < 0 ? ' down' : ''}" x="${px(x(year) - width / 2)}" y="${px(at)}" width="${px(width)}" height="${px(tall)}"><title>${year}: ${changeOf(point)}</title></rect>`;
  });
  // An end too near to zero would be written over it.
  const axis = [low, high].filter((mark) => Math.abs(y(mark) - y(0)) >= 9);
  return html`<text x="${LEFT}" y="${top - 8}">change</text>
${[0, ...axis].map((mark) => html`<line class="${mark === 0 ? 'axis' : 'grid'}" x1="${LEFT}" x2="${RIGHT}" y1="${px(y(mark))}" y2="${px(y(mark))}"/><text class="e" x="${LEFT - 5}" y="${px(y(mark) + 3.5)}">${mark === 0 ? '0' : change(mark)}</text>`)}
${bars}`;
}

function spoken(
  title: string,
  points: readonly Point[],
  compared: boolean,
  largest: Point | undefined,
): string {
  const ends = [points[0], points.at(-1)].map((point) => `${point?.year} ${amount(point?.after ?? null)}`);
  const range = `${title} by year, from ${ends[0]} to ${ends[1]}`;
  if (!compared) return range;
  if (largest === undefined) return `${range}; no year moved`;
  return `${range}; ${points.filter(hasMoved).length} years moved, most ${largest.year}: ${changeOf(largest)}, from ${amount(largest.before)} to ${amount(largest.after)}`;
}
