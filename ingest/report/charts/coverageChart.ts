// Draws the coverage of countries: a bar for successive years with rows, and a sign for each year that changed.

import { type Html, html } from '../../../src/text/html.ts';
import type { CoverageChange } from '../../compare/comparisonTypes.ts';
import { count, yearRuns } from '../../messages/numbers.ts';
import type { CountryCoverage } from '../rowCoverage.ts';
import { px, scale, yearTicks } from './scale.ts';

export interface CoveragePanel {
  readonly title: string;
  /** The years to which the row counts of the countries belong, in the same order. */
  readonly years: readonly number[];
  readonly countries: readonly CountryCoverage[];
  readonly changes: ReadonlyMap<string, ReadonlyMap<number, CoverageChange>>;
  /** The first and last year of the axis, which all panels share so that they can be compared. */
  readonly span: readonly [first: number, last: number];
}

// Lengths are in units of the view box.
const WIDTH = 300;
const LEFT = 128;
const RIGHT = 294;
const TOP = 18;
const ROW = 15;
/** The most characters of a country's name. Longer names are cut. */
const LABEL_CHARACTERS = 17;

/** A figure of the coverage of some countries. */
export function coverageChart({
  title,
  years,
  countries,
  changes,
  span: [first, last],
}: CoveragePanel): Html {
  const x = scale(first, last + 1, LEFT, RIGHT);
  const height = TOP + countries.length * ROW + 2;
  const changed = countries.reduce((sum, { country }) => sum + (changes.get(country)?.size ?? 0), 0);
  const label = `${title}: years with rows, by country, ${first} to ${last}; ${changed === 0 ? 'as before' : `${count(changed)} changed`}`;
  const rows = countries.map(({ country, rows: coveredYears }, i) => {
    const top = TOP + i * ROW;
    return html`<text class="e s" x="${LEFT - 5}" y="${top + 11.5}">${short(country)}${[...country].length > LABEL_CHARACTERS ? html`<title>${country}</title>` : null}</text>
<rect class="later" x="${LEFT}" y="${top + 1}" width="${RIGHT - LEFT}" height="${ROW - 2}"/>${yearRuns(
      years.filter((_, at) => (coveredYears[at] ?? 0) > 0),
    ).map(
      ([from, to]) =>
        html`<rect class="has" x="${px(x(from))}" y="${top + 1}" width="${px(x(to + 1) - x(from))}" height="${ROW - 2}"/>`,
    )}${[...(changes.get(country)?.values() ?? [])].map((change) => sign(change, x, top))}
`;
  });
  return html`<figure>
<figcaption>${title}</figcaption>
<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${label}">
${yearTicks(first, last, 4).map((year) => html`<text class="m" x="${px(Math.min(x(year + 0.5), WIDTH - 15))}" y="12">${year}</text>`)}
${rows}</svg>
</figure>
`;
}

/**
 * The sign of a changed year: a plus for new rows, a cross for a year without rows now, a dot for another number of rows.
 */
function sign({ year, before, after }: CoverageChange, x: (year: number) => number, top: number): Html {
  const [left, width] = [x(year), x(year + 1) - x(year)];
  const [cx, cy] = [left + width / 2, top + ROW / 2];
  const arm = Math.min(2.5, width / 2 - 0.5);
  const words = html`<title>${year}: ${count(before)} → ${count(after)}</title>`;
  if (before > 0 && after > 0)
    return html`<circle class="other" cx="${px(cx)}" cy="${px(cy)}" r="${px(Math.min(2, width / 2))}">${words}</circle>`;
  if (before === 0) {
    return html`<rect class="new" x="${px(left)}" y="${top + 1}" width="${px(width)}" height="${ROW - 2}">${words}</rect><path class="sign" d="M${px(cx - arm)} ${px(cy)}h${px(2 * arm)}M${px(cx)} ${px(cy - arm)}v${px(2 * arm)}"/>`;
  }
  return html`<path class="gone" d="M${px(cx - arm)} ${px(cy - arm)}l${px(2 * arm)} ${px(2 * arm)}m0 ${px(-2 * arm)}l${px(-2 * arm)} ${px(2 * arm)}">${words}</path>`;
}

/**
 * A name cut to the length of labels, between two code points: a cut within a surrogate pair would leave a broken
 * character.
 */
function short(name: string): string {
  const characters = [...name];
  if (characters.length <= LABEL_CHARACTERS) return name;
  return `${characters
    .slice(0, LABEL_CHARACTERS - 1)
    .join('')
    .trimEnd()}…`;
}
