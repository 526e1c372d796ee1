// The key figures of a country or a product, in words: what stands at the top of its page.

import type { Entity } from '../api/entity.ts';
import { change, exact, readable, share } from './format.ts';
import { valueAt } from './series.ts';
import { unitText } from './summary.ts';

export interface KeyFigure {
  readonly value: string;
  readonly label: string;
  readonly detail: string | null;
}

export function keyFigures(entity: Entity): KeyFigure[] {
  const { whole, unit, year, place, indicators, kind } = entity;
  const value = whole === null ? null : valueAt(whole, year);
  if (whole === null || value === null) return [];
  const before = valueAt(whole, year - 1);
  const figures: KeyFigure[] = [
    {
      value: readable(value, unit),
      label: `Gross gaming revenue in ${year}, ${unitText(unit)}`,
      detail: before === null ? null : (change(before, value)?.concat(` on ${year - 1}`) ?? null),
    },
  ];
  if (place !== null) {
    const others = kind === 'country' ? 'countries' : 'products';
    figures.push({
      value: `${place.rank} of ${place.of}`,
      label: `Place among ${others} in ${year}`,
      detail: null,
    });
    figures.push({ value: share(place.share), label: 'Share of the world', detail: `in ${year}` });
  }
  const of = (name: string) => indicators?.values[name] ?? null;
  const adults = of('adult_population');
  const gdp = of('gdp_usd');
  const inflation = of('inflation');
  const isDollar = unit.kind === 'currency' && unit.code === 'USD';
  if (adults !== null && adults > 0)
    figures.push({
      value: Math.round(value / adults).toLocaleString('en'),
      label: `Revenue per adult in ${year}, ${unitText(unit)}`,
      detail: `${exact(adults)} adults`,
    });
  if (gdp !== null && gdp > 0 && isDollar)
    figures.push({
      value: share(value / gdp),
      label: 'Revenue as a share of gross domestic product',
      detail: `of ${readable(gdp, unit)} in ${year}`,
    });
  if (inflation !== null)
    figures.push({
      value: readable(inflation, { kind: 'percent' }),
      label: `Inflation in ${year}`,
      detail: null,
    });
  return figures;
}
