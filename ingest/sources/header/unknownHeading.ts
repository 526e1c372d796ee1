// Makes the message about a heading that names no column of the dataset, and guesses which column it means.

import {
  columnNames,
  type DatasetName,
  datasetOf,
  isFinancial,
  metricNames,
} from '../../../src/catalog/datasets.ts';
import type { Diagnostic } from '../../messages/fault.ts';
import { withoutCurrency } from '../../messages/headingWords.ts';
import { headingKey, nearestWord } from '../../messages/spelling.ts';
import { isUnitLabel, statedUnit } from '../../messages/statedUnits.ts';
import { inPlainFormat, PLAIN_FORMAT, unsupportedYearForm } from '../yearForms.ts';
import { onOneLine } from './headerRow.ts';

/**
 * The fault of a heading that names no column. It is a year in another form, or an unknown name. The remedy for an unknown
 * name proposes the nearest known one.
 *
 * @param isFormatted Whether a number format made the text: the cell holds 2022 and shows `2022E`.
 * @param headings All headings of the header.
 */
export function unknownHeading(
  dataset: DatasetName,
  text: string,
  isFormatted: boolean,
  headings: readonly string[],
): Diagnostic {
  if (isFinancial(dataset) && namesMetricAndYear(dataset, text))
    return {
      problem: `column "${onOneLine(text)}" is headed by a metric and a year`,
      remedy:
        metricNames(dataset).length === 1
          ? 'write the four digits alone'
          : 'write the four digits alone, and the metric into the row above them or into a column metric',
      kind: 'columns headed by a metric and a year',
    };
  const form = isFinancial(dataset) ? unsupportedYearForm(text) : undefined;
  if (form?.isHeading === true)
    return {
      problem: `column "${onOneLine(text)}" is headed by ${form.description}`,
      remedy: isFormatted ? inPlainFormat(form) : form.remedy,
      kind: `columns headed by ${form.description}`,
    };
  if (isFormatted)
    return {
      problem: `column "${text}" is headed by a number in the format of a date`,
      remedy: PLAIN_FORMAT,
      kind: 'columns headed by a number in the format of a date',
    };
  // The general remedy below is to delete the column, which would lose the values of a year.
  if (isFinancial(dataset) && /^[12]\d{2,4}$/.test(text.trim()))
    return {
      problem: `column "${text.trim()}" is headed by a number that is not a year`,
      remedy: 'write the year with four digits, such as 2022',
      kind: 'columns headed by a number that is not a year',
    };
  return {
    problem: `column "${onOneLine(text)}" is neither a dimension nor a metric of ${dataset}`,
    remedy: remedyOf(dataset, text, headings),
    kind: `a column that is neither a dimension nor a metric of ${dataset}`,
  };
}

/** Whether an unknown heading names a year in another form, such as `FY2022`, `2025E` or `GGR 2023`. */
export const isYearInOtherForm = (dataset: DatasetName, text: string): boolean =>
  isFinancial(dataset) &&
  (unsupportedYearForm(text)?.isHeading === true || namesMetricAndYear(dataset, text));

/** Whether a heading names a metric and a year: `GGR 2023`, `gdp_usd_2023`. */
function namesMetricAndYear(dataset: DatasetName, text: string): boolean {
  // Without the lookbehind in the second pattern, a run of 100,000 spaces would take minutes.
  const words = text
    .replace(/(?<!\d)[12]\d{3}(?!\d)/, ' ')
    .replace(/^[\s_:,.-]+|(?<![\s_:,.-])[\s_:,.-]+$/g, '');
  return (
    words.length < text.trim().length && !/\d/.test(words) && metricInOtherWords(dataset, words) !== undefined
  );
}

function remedyOf(dataset: DatasetName, text: string, headings: readonly string[]): string {
  const metric = metricInOtherWords(dataset, text);
  // When several headings mean one metric, the remedy below would give several columns the same name.
  if (
    metric !== undefined &&
    headings.some((other) => other !== text && metricInOtherWords(dataset, other) === metric)
  )
    return `write the figures of all columns of ${metric} below each other, and what they differ in, such as the currency, in a column of its own`;
  const [amount] = Object.keys(datasetOf(dataset).metrics);
  // The column may be the only statement that figures are in thousands, so the remedy is not only to delete it.
  if (amount !== undefined && isUnitLabel(text))
    return `multiply the figures by the factor that it says, or use --scale ${amount}=1e3 where that is thousands in all rows; then delete it`;
  const isNamed = (name: string) => headings.some((other) => headingKey(other) === headingKey(name));
  // Without the column, the figures of a month or a quarter would be taken for those of the year.
  if (PARTS_OF_YEARS.has(headingKey(text)) && isNamed('year'))
    return 'give each year one row that covers all its months, then delete the column';
  const meant = meantColumn(dataset, text);
  if (meant !== undefined && !isNamed(meant)) return `did you mean "${meant}"?`;
  return `rename it to one of: ${columnNames(dataset).join(', ')}, or delete it`;
}

/** Headings of columns that say which part of the year a row is about. */
const PARTS_OF_YEARS: ReadonlySet<string> = new Set(
  ['month', 'months', 'quarter', 'quarters', 'qtr', 'half-year', 'semester', 'period', 'week', 'weeks'].map(
    headingKey,
  ),
);

/** The column that an unknown heading probably means; undefined when there is none. */
export const meantColumn = (dataset: DatasetName, text: string): string | undefined =>
  metricWithWords(dataset, text) ??
  metricInOtherWords(dataset, text) ??
  dimensionInOtherWords(dataset, text) ??
  nearestWord(text, columnNames(dataset));

/** The metric that a heading names before words in brackets that state no unit: `GGR (local currency)`. */
function metricWithWords(dataset: DatasetName, heading: string): string | undefined {
  const [, bare, words = ''] = /^(.*?)[([]([^()[\]]*)[)\]]$/u.exec(heading.trim()) ?? [];
  const isPlain = words.split(/\s+/).every((word) => NO_UNITS.has(word.toLowerCase()));
  if (bare === undefined || !isPlain) return undefined;
  return metricNames(dataset).find((name) => headingKey(name) === headingKey(bare));
}

/** The metric that a heading names beside a unit or a currency, or by its name in another language: `BSE (Mio. EUR)`. */
export function metricInOtherWords(dataset: DatasetName, heading: string): string | undefined {
  const unit = statedUnit(heading)?.text ?? '';
  const bare = bareKey(heading.replace(unit, ' '));
  return metricNames(dataset).find(
    (name) => headingKey(name) === bare || OTHER_NAMES[name]?.some((other) => bareKey(other) === bare),
  );
}

/** The dimension that a heading names by another usual word, such as `Currency`. */
export function dimensionInOtherWords(dataset: DatasetName, heading: string): string | undefined {
  const key = headingKey(heading);
  return datasetOf(dataset).dimensions.find((name) =>
    OTHER_DIMENSION_NAMES[name]?.some((other) => headingKey(other) === key),
  );
}

const bareKey = (heading: string): string => headingKey(withoutCurrency(heading));

/**
 * The names of metrics in the languages of regulators. Names of net revenue are left out, because net revenue is not a
 * metric.
 */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  ggr: (
    'gross gaming revenue|gross gambling revenue|gross gaming yield|gross gambling yield|GGY|gross win|' +
    'Bruttospielertrag|Bruttospielerträge|BSE|produit brut des jeux|PBJ|bruttospilleindtægt|bruttospelintäkter|' +
    'ingresos brutos del juego|ingresos brutos de juego|receita bruta do jogo|receita bruta de jogo'
  ).split('|'),
  turnover: (
    'handle|stakes|amount wagered|amounts wagered|Spieleinsätze|Spieleinsatz|mises|cantidades jugadas|' +
    'raccolta|volume de apostas|omsättning|inleg'
  ).split('|'),
};

const CURRENCY_NAMES = 'currency|currency code|ISO currency|ccy|Währung|devise|moneda|valuta'.split('|');

/**
 * Usual words for dimensions. Words that may also head a column of figures are left out: `Land` means country in German,
 * but may also head the figures of the channel Land.
 */
const OTHER_DIMENSION_NAMES: Readonly<Record<string, readonly string[]>> = {
  year: ['Jahr', 'année', 'año', 'anno', 'ano'],
  country: ['nation', 'jurisdiction', 'pays', 'país', 'paese'],
  state: ['province', 'state / province', 'state or province', 'Bundesland', 'provincia', 'provincie'],
  category: ['vertical', 'Kategorie', 'catégorie', 'categoría'],
  product: ['Produkt', 'produit', 'producto', 'prodotto'],
  channel: ['Kanal', 'canal'],
  fx: CURRENCY_NAMES,
  fx_local_currency: CURRENCY_NAMES,
  temporal: ['status', 'data status', 'period type', 'actual or forecast', 'actual/forecast'],
  calculation: ['method', 'methodology'],
  country_type: ['type'],
};

/** Words in brackets behind a metric that state no unit. */
const NO_UNITS: ReadonlySet<string> = new Set(
  'local currency reported nominal annual yearly gross net in value amount'.split(' '),
);
