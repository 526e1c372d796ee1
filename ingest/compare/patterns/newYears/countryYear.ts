// Puts the rows of a country's new year beside those of the compared year.

import type { BegunYear, Item, YearRows } from './yearRows.ts';

/** A year that a country begins, with its rows and those of the compared year. */
export interface CountryYear {
  readonly rows: YearRows;
  readonly begun: BegunYear;
  readonly newItems: Int32Array;
  readonly comparedItems: Int32Array;
  /** For each series, its item of the new year. */
  readonly newItemOf: ReadonlyMap<number, Item>;
  readonly newMarkets: ReadonlySet<number>;
  /** Whether most rows of the new year are forecasts. */
  readonly forecast: boolean;
}

/** The items of a country's new year, matched with those of the compared year. */
export function countryYear(rows: YearRows, begun: BegunYear): CountryYear {
  const newItems = rows.of(begun.country, begun.year);
  const forecasts = newItems.filter((item) => rows.isForecast(item));
  return {
    rows,
    begun,
    newItems,
    comparedItems: rows.of(begun.country, begun.comparedYear),
    newItemOf: itemsBySeries(rows, newItems),
    newMarkets: new Set(newItems.map((item) => rows.market[item] as number)),
    forecast: forecasts.length > newItems.length / 2,
  };
}

function itemsBySeries({ series }: YearRows, items: Int32Array): ReadonlyMap<number, Item> {
  const itemOf = new Map<number, Item>();
  for (const item of items) itemOf.set(series[item] as number, item);
  return itemOf;
}
