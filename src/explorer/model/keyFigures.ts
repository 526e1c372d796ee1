// Makes the key figures at the top of the page of a country or product.

import { FIGURES } from '../texts/entityTexts.ts';
import { coverageBreakYears, type Entity, type EntityRanking } from './entity.ts';
import { changeText, exactText, readableText, shareText, shortText } from './numberFormats.ts';
import { valueAt } from './series.ts';
import { unitText } from './summary.ts';

export interface KeyFigure {
  readonly value: string;
  readonly label: string;
  readonly detail: string | null;
}

/** The figures that can be computed, the revenue first. There are none without a revenue in the year. */
export function keyFigures(entity: Entity): KeyFigure[] {
  const { revenue, unit, year, ranking } = entity;
  const value = valueAt(revenue, year);
  if (value === null) return [];
  const before = coverageBreakYears(entity).has(year) ? null : valueAt(revenue, year - 1);
  return [
    {
      value: readableText(value, unit),
      label: FIGURES.revenue(year, unitText(unit)),
      detail: before === null ? null : (changeText(before, value)?.concat(FIGURES.on(year - 1)) ?? null),
    },
    ...(ranking === null ? [] : placeFigures(entity, ranking)),
    ...indicatorFigures(entity, value),
  ];
}

/** The rank among several, and the share of the total where there is one. */
function placeFigures(
  { kind, year }: Entity,
  { rank, rankedCount, shareOfTotal: part, hasForecasts }: EntityRanking,
): KeyFigure[] {
  const figure = {
    value: FIGURES.rank(rank, rankedCount),
    label: FIGURES.place(kind, year),
    detail: hasForecasts ? FIGURES.someForecasts : null,
  };
  const ranks = rankedCount === 1 ? [] : [figure];
  if (part === null) return ranks;
  return [...ranks, { value: shareText(part), label: FIGURES.share, detail: FIGURES.in(year, hasForecasts) }];
}

/** Figures that relate the revenue to indicators of the country, and the inflation. */
function indicatorFigures({ unit, year, indicators }: Entity, value: number): KeyFigure[] {
  const figures: KeyFigure[] = [];
  const indicator = (name: string) => indicators?.values[name] ?? null;
  const adults = indicator('adult_population');
  const gdp = indicator('gdp_usd');
  const inflation = indicator('inflation');
  const isDollar = unit.kind === 'currency' && unit.code === 'USD';
  if (adults !== null && adults > 0)
    figures.push({
      value:
        Math.abs(value / adults) < 10 ? shortText(value / adults) : exactText(Math.round(value / adults)),
      label: FIGURES.perAdult(year, unitText(unit)),
      detail: FIGURES.adults(exactText(adults)),
    });
  // A negative revenue has no share of the gross domestic product.
  if (gdp !== null && gdp > 0 && value >= 0 && isDollar)
    figures.push({
      value: shareText(value / gdp),
      label: FIGURES.ofGdp,
      detail: FIGURES.gdp(readableText(gdp, unit), year),
    });
  if (inflation !== null)
    figures.push({
      value: readableText(inflation, { kind: 'percent' }),
      label: FIGURES.inflation(year),
      detail: null,
    });
  return figures;
}
