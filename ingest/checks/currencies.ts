// Reports unknown currency codes, and the code ALL of the Albanian lek where it probably means a total of all currencies.

import { type DimensionName, datasetOf, dimensionOf } from '../../src/catalog/datasets.ts';
import { CURRENCY_CODES } from '../messages/currencyCodes.ts';
import { exact } from '../messages/numbers.ts';
import { nearestWord } from '../messages/spelling.ts';
import { stagingTable } from '../staging/database/stagingTables.ts';
import type { CheckInput } from './checkInput.ts';
import { PLACE_SQL, placeOfCellAt, queryStaging, rowCountText } from './stagedPlaces.ts';

/**
 * Warns once of each unknown code in a dimension of a dataset, at its first cell. Reports `ALL` as an error outside of
 * Albania.
 */
export async function checkCurrencies(input: CheckInput): Promise<void> {
  const { staging, datasets, usedValues, problems } = input;
  await checkLek(input);
  for (const dataset of datasets)
    for (const dimension of datasetOf(dataset).dimensions.filter(isCurrency)) {
      const unknown = usedValues
        .in(dataset, dimension)
        .filter(({ text }) => text !== '' && !CURRENCY_CODES.has(text));
      for (const { text, rows, first } of unknown) {
        const former = FORMER_CURRENCIES.get(text);
        problems.add('warning', placeOfCellAt(staging, first, dimension), {
          problem: `no currency has the code "${text}"${former === undefined ? '' : ' today'} (${rowCountText(rows)})`,
          remedy: former === undefined ? unknownCodeRemedy(text) : formerCodeRemedy(text, former),
          kind: `${dimension} is the code of no currency`,
        });
      }
    }
}

const isCurrency = (dimension: DimensionName): boolean => dimensionOf(dimension).form === 'currency';

function unknownCodeRemedy(text: string): string {
  const near = nearestWord(text, CURRENCY_CODES);
  return near === undefined ? 'check the code' : `check the code; the nearest one is ${near}`;
}

const formerCodeRemedy = (text: string, { code, units }: FormerCurrency): string =>
  units === 1
    ? `write ${code}`
    : `convert the figures at ${exact(units)} ${text} for 1 ${code}, and write ${code}`;

/**
 * Reports `ALL` outside of Albania. `ALL` is the code of the Albanian lek. People also write it for a total over all
 * currencies. It is accepted in a country whose local currency in the dataset fx is the lek, and in every country if the
 * current snapshot has it.
 */
async function checkLek({
  staging,
  datasets,
  usedValues,
  publishedValues,
  problems,
}: CheckInput): Promise<void> {
  if (publishedValues?.has('fx', 'ALL')) return;
  const all = staging.code('ALL');
  for (const dataset of datasets.filter((name) => usedValues.has(name, 'fx', 'ALL'))) {
    const found = await queryStaging(
      staging,
      `SELECT country_code, count(*)::INTEGER, min(${PLACE_SQL}) AS place FROM ${stagingTable(dataset)}
       WHERE fx_code = ${all} AND country_code <> ${staging.code('Albania')} AND country_code NOT IN
         (SELECT country_code FROM ${stagingTable('fx')} WHERE fx_local_currency_code = ${all} AND country_code IS NOT NULL)
       GROUP BY country_code ORDER BY place`,
    );
    for (const [country, n, place] of found)
      problems.add('error', placeOfCellAt(staging, place as bigint, 'fx'), {
        problem: `fx "ALL" of ${staging.text(country)} is the Albanian lek (${rowCountText(n)})`,
        remedy: 'write the currency; delete the rows if they are a total over all currencies',
        kind: 'fx "ALL" outside of Albania',
      });
  }
}

interface FormerCurrency {
  readonly code: string;
  /** How many units of the former currency equal one unit of the new one; 1 when only the code changed. */
  readonly units: number;
}

/**
 * Codes that are not in ISO 4217 any more or never were. Each entry has a former code, its successor, and how many former
 * units make one unit of the successor.
 */
const FORMER_CODES = `
  ATS EUR 13.7603   BEF EUR 40.3399   CYP EUR 0.585274  DEM EUR 1.95583   EEK EUR 15.6466   ESP EUR 166.386
  FIM EUR 5.94573   FRF EUR 6.55957   GRD EUR 340.75    IEP EUR 0.787564  ITL EUR 1936.27   LTL EUR 3.4528
  LUF EUR 40.3399   LVL EUR 0.702804  MTL EUR 0.4293    NLG EUR 2.20371   PTE EUR 200.482   SIT EUR 239.64
  SKK EUR 30.126    AFA AFN 1000      AZM AZN 5000      BGL BGN 1000      BYR BYN 10000     CSD RSD 1
  GHC GHS 10000     MRO MRU 10        MXP MXN 1000      MZM MZN 1000      PLZ PLN 10000     ROL RON 10000
  RUR RUB 1000      SDD SDG 100       SRG SRD 1000      STD STN 1000      TMM TMT 5000      TRL TRY 1000000
  VEF VES 100000    ZMK ZMW 1000      CNH CNY 1         GBX GBP 100       NTD TWD 1         RMB CNY 1
  STG GBP 1         UKP GBP 1
`;

const FORMER_CURRENCIES: ReadonlyMap<string, FormerCurrency> = new Map(
  [...FORMER_CODES.matchAll(/([A-Z]{3}) ([A-Z]{3}) ([\d.]+)/g)].map(([, former = '', code = '', units]) => [
    former,
    { code, units: Number(units) },
  ]),
);
