// Warns of turnover that is implausible beside ggr, and of rows in which it is below ggr.

import { datasetOf } from '../../../src/catalog/datasets.ts';
import type { Diagnostic } from '../../messages/fault.ts';
import { amountText, count } from '../../messages/numbers.ts';
import type { StagingView } from '../../staging/database/staging.ts';
import { stagingColumn, stagingTable } from '../../staging/database/stagingTables.ts';
import type { CheckInput } from '../checkInput.ts';
import { PLACE_SQL, placeOfCellAt, queryStaging, rowCountText } from '../stagedPlaces.ts';

/**
 * Reports turnover that is below its ggr, or more than 300 times as much, over the facts that both datasets have. It
 * examines four levels:
 *
 * 1. Countries. Their turnover must not equal ggr either.
 * 2. Products, if no country has a finding. The turnover of poker may equal its ggr, because it may count fees alone.
 * 3. Each product and each state of a country, if neither the country nor the product has a finding.
 * 4. The number of all rows with turnover below ggr, if no level above has a finding.
 */
export async function checkTurnover({ staging, usedValues, problems }: CheckInput): Promise<void> {
  // A finding needs two facts that both datasets have.
  if (Math.min(usedValues.rows('turnover'), usedValues.rows('ggr')) < 2) return;
  const found = await implausible(staging);
  for (const finding of found.filter((each) => !isConsequence(each, found))) {
    const { level, country, product, state, fx, turnover, ggr, place, below, n } = finding;
    const cell = placeOfCellAt(staging, place, 'turnover');
    if (level === WHOLE_LEVEL) {
      problems.add('warning', cell, {
        problem: `turnover is below ggr in ${below} of the ${rowCountText(n)} that both have`,
        remedy: 'check that neither column was shifted or sorted against its labels',
        kind: 'turnover below ggr in some rows',
      });
      continue;
    }
    const part = [product, state].flatMap((name) => name ?? []).join(', ');
    const name = [part, country ?? ''].filter((text) => text !== '').join(' in ');
    problems.add('warning', cell, {
      ...faultOf(`turnover of ${name} (${fx})`, turnover, ggr),
      country,
    });
  }
}

/** Whether a finding of a level above explains this one. */
function isConsequence({ level, country, product }: Implausible, all: readonly Implausible[]): boolean {
  const above = all.filter((other) => other.level < level);
  if (level === WHOLE_LEVEL || country === null) return above.length > 0;
  return above.some(
    (other) => other.country === country || (other.country === null && other.product === product),
  );
}

const COUNTRY_LEVEL = 0;
const PRODUCT_LEVEL = 1;
/** The level of each product and each state of a country. */
const PART_LEVEL = 2;
/** The level of all facts together. */
const WHOLE_LEVEL = 3;

interface Implausible {
  readonly level: number;
  readonly country: string | null;
  readonly product: string | null;
  readonly state: string | null;
  readonly fx: string;
  readonly turnover: number;
  readonly ggr: number;
  readonly place: bigint;
  /** The number of rows with turnover below ggr, and the number of all rows. */
  readonly below: number;
  readonly n: number;
}

/**
 * The implausible parts of each level. A part that is implausible in several currencies is given once, in the currency of
 * its first row. The place of the whole is the first row whose turnover is below ggr.
 */
async function implausible(staging: StagingView): Promise<readonly Implausible[]> {
  const { dimensions } = datasetOf('turnover');
  const isBelow = `turnover < ${LEAST_TURNOVER_SHARE} * ggr`;
  const found = await queryStaging(
    staging,
    `WITH both_sides AS (
      SELECT country_code, product_code, state_code, fx_code, sum(turnover) AS turnover, sum(ggr) AS ggr, min(place) AS place,
        count(*) AS n, bool_and(turnover = ggr) AS is_same,
        CASE WHEN grouping(fx_code) = 1 THEN ${WHOLE_LEVEL} WHEN grouping(country_code) = 1 THEN ${PRODUCT_LEVEL}
          WHEN grouping(product_code) = 1 AND grouping(state_code) = 1 THEN ${COUNTRY_LEVEL} ELSE ${PART_LEVEL} END AS level,
        count(*) FILTER (${isBelow}) AS below, min(place) FILTER (${isBelow}) AS first_below
      FROM (SELECT *, ${PLACE_SQL} AS place FROM ${stagingTable('turnover')}) t
      JOIN ${stagingTable('ggr')} g USING (${dimensions.map(stagingColumn).join(', ')})
      GROUP BY GROUPING SETS ((country_code, fx_code), (product_code, fx_code), (country_code, product_code, fx_code),
        (country_code, state_code, fx_code), ()))
    SELECT level, country_code, product_code, state_code, fx_code, turnover, ggr,
      CASE WHEN level = ${WHOLE_LEVEL} THEN first_below ELSE place END AS place, below::INTEGER, n::INTEGER
    FROM both_sides
    WHERE CASE
      WHEN level = ${WHOLE_LEVEL} THEN below >= greatest(${FEWEST_ROWS_BELOW}, ${LEAST_SHARE_BELOW} * n)
      WHEN level = ${PART_LEVEL} THEN n > 1 AND (${isBelow} OR ggr > 0 AND turnover > ${MOST_TURNOVER_RATIO} * ggr)
      ELSE n > 1 AND (turnover < ggr OR ggr > 0 AND (is_same AND level = ${COUNTRY_LEVEL} OR turnover > ${MOST_TURNOVER_RATIO} * ggr))
      END
    QUALIFY row_number() OVER (PARTITION BY level, country_code, product_code, state_code ORDER BY place) = 1
    ORDER BY place`,
  );
  const textOf = (code: unknown) => (code === null ? null : staging.text(code));
  return found.map(([level, country, product, state, fx, turnover, ggr, place, below, n]) => ({
    level: Number(level),
    country: textOf(country),
    product: textOf(product),
    state: textOf(state),
    fx: textOf(fx) ?? '',
    turnover: Number(turnover),
    ggr: Number(ggr),
    place: place as bigint,
    below: Number(below),
    n: Number(n),
  }));
}

/** The largest plausible ratio of turnover to ggr. */
export const MOST_TURNOVER_RATIO = 300;

/** A turnover below this share of ggr is below it by more than rounding explains. */
const LEAST_TURNOVER_SHARE = 0.98;

/**
 * Rows with turnover below ggr are reported if they are at least this many, and at least this share of all compared rows.
 */
const FEWEST_ROWS_BELOW = 3;
const LEAST_SHARE_BELOW = 0.01;

function faultOf(figureName: string, turnover: number, ggr: number): Diagnostic {
  const fault = (relation: string, kind: string): Diagnostic => ({
    problem: `${figureName} is ${amountText(turnover)}, ${relation}`,
    remedy: 'check whether the two were exchanged, or are in different units',
    kind,
  });
  if (turnover === ggr) return fault('the same as its ggr in every row', 'turnover that repeats ggr');
  if (turnover < ggr) return fault(`below the ${amountText(ggr)} of its ggr`, 'turnover below ggr');
  const times = count(Math.round(turnover / ggr));
  return fault(`${times} times the ${amountText(ggr)} of its ggr`, 'turnover far above ggr');
}
