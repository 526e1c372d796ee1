// Finds the places of the page to which findings link: the rows of countries, and the parts about datasets.

import { ascending, groupBy } from '../../src/basics/lists.ts';
import { DATASET_NAMES, type DatasetName } from '../../src/catalog/datasets.ts';
import type { CountryChanges, CoverageChange } from '../compare/comparisonTypes.ts';
import { causesFirst, type GuardFinding } from '../guards/finding.ts';
import type { Report } from './reportTypes.ts';

/** The changes of a country in all datasets. */
export interface ChangedCountry {
  readonly country: string;
  /** The id of the country's row, for links. */
  readonly id: string;
  readonly datasets: readonly { readonly dataset: DatasetName; readonly changes: CountryChanges }[];
  /**
   * Of the country's totals of reported ggr and turnover, each of one year, the one that moved most. If none of these
   * moved, it is a total of the indicators. Null when no total moved.
   */
  readonly total: CountryChanges['total'];
  /** The years in which a dataset has rows of the country now, and had none before. */
  readonly began: readonly number[];
  /** The years in which a dataset had rows of the country before, and has none now. */
  readonly ended: readonly number[];
  readonly findings: readonly GuardFinding[];
}

/** The places of the page to which findings link. */
export class LinkTargets {
  /** The countries: those with findings first, then those whose coverage changed, then those whose totals moved most. */
  readonly countries: readonly ChangedCountry[];
  readonly #ids: ReadonlyMap<string, string>;
  readonly #shown: ReadonlySet<string>;

  constructor(report: Report) {
    this.countries = countriesOf(report);
    this.#ids = new Map(this.countries.map(({ country, id }) => [country, id]));
    this.#shown = new Set(this.inBrief.map(({ country }) => country));
  }

  /** The countries that the page shows before the details. */
  get inBrief(): readonly ChangedCountry[] {
    const marked = this.countries.filter(({ findings }) => findings.length > 0).length;
    return this.countries.slice(0, Math.min(MOST_COUNTRIES_IN_BRIEF, Math.max(COUNTRIES_IN_BRIEF, marked)));
  }

  /** The id of a country's row in the table of all countries; null when its row in the first table has the id already. */
  idInFull({ country, id }: ChangedCountry): string | null {
    return this.#shown.has(country) ? null : id;
  }

  /** The id to which a finding links: that of its country's row, or else that of the part about its dataset. */
  of({ country, dataset }: Pick<GuardFinding, 'country' | 'dataset'>): string {
    return (country === null ? undefined : this.#ids.get(country)) ?? dataset;
  }
}

/**
 * How many countries the page shows before the details. It shows more, up to `MOST_COUNTRIES_IN_BRIEF`, when more have
 * findings.
 */
const COUNTRIES_IN_BRIEF = 12;
const MOST_COUNTRIES_IN_BRIEF = 20;

function countriesOf({ datasets, checked }: Report): ChangedCountry[] {
  const changed = DATASET_NAMES.flatMap((dataset) =>
    datasets[dataset].breakdown.countries.shown.map((changes) => ({ dataset, changes })),
  );
  const coverage = groupBy(
    DATASET_NAMES.flatMap((dataset) => datasets[dataset].coverage.changes.shown),
    ({ country }) => country,
  );
  const findings = causesFirst(checked.guards.flatMap((guard) => guard.findings));
  return [...groupBy(changed, ({ changes }) => changes.country)]
    .map(([country, byDataset]) => ({
      country,
      datasets: byDataset,
      total:
        largestOf(
          byDataset.filter(({ dataset }) => dataset !== 'country').map(({ changes }) => changes.total),
        ) ?? largestOf(byDataset.map(({ changes }) => changes.total)),
      began: yearsOf(coverage.get(country), ({ before }) => before === 0),
      ended: yearsOf(coverage.get(country), ({ after }) => after === 0),
      findings: findings.filter((finding) => finding.country === country),
    }))
    .sort((a, b) => rank(b) - rank(a) || size(b) - size(a))
    .map((country, i) => ({ ...country, id: `country-${i + 1}` }));
}

const yearsOf = (changes: readonly CoverageChange[] = [], passes: (change: CoverageChange) => boolean) =>
  ascending(changes.filter(passes).map(({ year }) => year));

function rank({ findings, began, ended }: Omit<ChangedCountry, 'id'>): number {
  if (findings.length > 0) return 2;
  return began.length + ended.length > 0 ? 1 : 0;
}

const size = ({ total }: Omit<ChangedCountry, 'id'>) => Math.abs(total?.relative ?? 0);

const largestOf = (totals: readonly CountryChanges['total'][]): CountryChanges['total'] =>
  totals.reduce(
    (most, total) =>
      total !== null && (most === null || Math.abs(total.relative) > Math.abs(most.relative)) ? total : most,
    null,
  );
