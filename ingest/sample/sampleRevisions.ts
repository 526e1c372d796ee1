// Defines the revisions of the second month, with the reasons for its sheet Notes.

import { draw, swing } from './keyedRandom.ts';
import type { Fact } from './model.ts';
import { BREAKDOWNS } from './tables/breakdowns.ts';
import type { Month } from './tables/calendar.ts';
import { BASE_YEAR, LAST_CLOSED_YEAR } from './tables/calendar.ts';
import { type Country, LATE_REPORTERS } from './tables/countries.ts';
import type { ProductKey } from './tables/taxonomy.ts';

export interface Revision {
  readonly what: string;
  readonly reason: string;
  /** Applies the revision to the facts. Undefined for revisions of rates and indicators, and for facts that are new. */
  readonly apply?: (facts: readonly Fact[]) => readonly Fact[];
}

/** Countries whose figures of 2025 are a forecast in the first month and reported in the second. */
const ARRIVED: readonly string[] = ['Senegal', 'Egypt', 'Jamaica', 'Moldova'];

/** All revisions of the second month, in the order in which they are applied. */
export const REVISIONS: readonly Revision[] = [
  {
    what: 'ggr and turnover, 2024 and 2025, a tenth of the series: up to 0.45 %',
    reason: 'routine revisions of recent years',
    apply: scaled(routine),
  },
  {
    what: 'fx from 2026, and every forecast in USD and EUR: up to 0.9 %',
    reason: 'latest exchange rates, held to 2030',
  },
  {
    what: `${ARRIVED.join(', ')}: 2025 is Current instead of Forecast`,
    reason: 'late reports have arrived',
    apply: scaled(({ country, key, subChannel, year }) =>
      ARRIVED.includes(country.name) && year === LAST_CLOSED_YEAR
        ? 1 + 0.004 * swing('flip', country.name, key, subChannel)
        : 1,
    ),
  },
  {
    what: 'United Kingdom, Sport Betting, Online Onshore, from 2024: +6 %',
    reason: 'an operator restated free bets',
    apply: scaled((fact) => (isOnshore(fact, 'United Kingdom', 'SO') && fact.year >= 2024 ? 1.06 : 1)),
  },
  {
    what: 'Brazil, Sport Betting, Online Onshore, 2025: +12 %, then +0.4 %',
    reason: 'first full-year returns under the new licences',
    apply: scaled((fact) => {
      if (!isOnshore(fact, 'Brazil', 'SO') || fact.year < 2025) return 1;
      return fact.year === 2025 ? 1.12 : 1.004;
    }),
  },
  {
    what: 'Netherlands, Casino Slots, Online Onshore, from 2026: -2.5 %',
    reason: 'the tax rise is now in the forecast',
    apply: scaled((fact) => (isOnshore(fact, 'Netherlands', 'CO') && fact.year >= 2026 ? 0.975 : 1)),
  },
  {
    what: 'Italy, Gaming Machines, from 2019: 8 % of Retail moves to Venue',
    reason: 'halls inside shops are counted as halls; the country total is unchanged',
    apply: movedPart({ country: 'Italy', from: 'MR', to: 'MV', since: 2019, part: 0.08 }),
  },
  {
    what: 'United States, Missouri, Sport Betting, Online Onshore, from 2025: new rows',
    reason: 'newly regulated; until now part of the country total alone',
  },
  {
    what: 'country: GDP of 2025 of a fifth of the countries, up to 0.4 %; Ghana 2022 to 2025 +2.1 %',
    reason: 'national accounts were revised; Ghana rebased',
  },
  { what: 'country: inflation of Lebanon in 2025 is empty', reason: 'withdrawn by its source' },
];

/** The facts as a month publishes them. */
export function revise(month: Month, facts: readonly Fact[]): readonly Fact[] {
  if (month === '2026-10') return facts.filter((fact) => !(fact.state === 'Missouri' && fact.key === 'SO'));
  return REVISIONS.reduce((revised, { apply }) => apply?.(revised) ?? revised, facts);
}

/** The last year that a country has reported. Later years are forecasts. */
export function lastReportedYear(month: Month, country: Country): number {
  const late = LATE_REPORTERS.includes(country.name);
  const arrived = month === '2026-11' && ARRIVED.includes(country.name);
  return late && !arrived ? LAST_CLOSED_YEAR - 1 : LAST_CLOSED_YEAR;
}

/**
 * The factor by which a country's gross domestic product is revised. `reported` is whether its calculation is `Reported`.
 */
export function gdpRevision(month: Month, country: Country, year: number, reported: boolean): number {
  if (month === '2026-10') return 1;
  const routinely = reported && year === LAST_CLOSED_YEAR && draw('gdprev', country.name) < 0.2;
  const rebased = country.name === 'Ghana' && year >= 2022 && year <= LAST_CLOSED_YEAR;
  return (routinely ? 1 + 0.004 * swing('gdprev2', country.name) : 1) * (rebased ? 1.021 : 1);
}

/** Whether the month leaves out an inflation figure that the month before had. */
export const isInflationLeftOut = (month: Month, country: Country, year: number): boolean =>
  month === '2026-11' && country.name === 'Lebanon' && year === 2025;

function routine({ country, state, key, subChannel, year }: Fact): number {
  const recent = year === BASE_YEAR || year === LAST_CLOSED_YEAR;
  const isBrokenDown = BREAKDOWNS[country.name]?.coverage[key] !== undefined;
  if (!recent || isBrokenDown || state !== '' || draw('rev', country.name, key, subChannel) >= 0.1) return 1;
  return 1 + 0.0045 * swing('rev', country.name, key, subChannel, year);
}

const isOnshore = (fact: Fact, country: string, key: ProductKey) =>
  fact.country.name === country && fact.state === '' && fact.key === key && fact.subChannel === 'Onshore';

function scaled(factor: (fact: Fact) => number) {
  return (facts: readonly Fact[]): readonly Fact[] =>
    facts.map((fact) => {
      const by = factor(fact);
      return by === 1 ? fact : { ...fact, local: fact.local * by };
    });
}

interface Move {
  readonly country: string;
  readonly from: ProductKey;
  readonly to: ProductKey;
  /** The first year in which a part moves. */
  readonly since: number;
  /** The part of the figures that moves, as a fraction. */
  readonly part: number;
}

function movedPart({ country, from, to, since, part }: Move) {
  return (facts: readonly Fact[]): readonly Fact[] => {
    const concerns = (fact: Fact, key: ProductKey) =>
      fact.country.name === country && fact.key === key && fact.year >= since;
    const moving = new Map(
      facts.filter((fact) => concerns(fact, from)).map(({ year, local }) => [year, part * local]),
    );
    return facts.map((fact) => {
      const amount = moving.get(fact.year) ?? 0;
      if (concerns(fact, from)) return { ...fact, local: fact.local - amount };
      return concerns(fact, to) ? { ...fact, local: fact.local + amount } : fact;
    });
  };
}
