// Warns of two values with similar names and the same figures, because they are probably one series twice.

import {
  type DatasetName,
  type DimensionName,
  datasetOf,
  isText,
  metricNames,
} from '../../../src/catalog/datasets.ts';
import { nearestWord } from '../../messages/spelling.ts';
import { stagingColumn, stagingTable } from '../../staging/database/stagingTables.ts';
import type { SqlCheckInput } from '../checkInput.ts';
import { columnsWithout, PLACE_SQL, rowCountText, warnOfEach } from '../stagedPlaces.ts';
import type { UsedValue } from '../usedValues.ts';

export async function checkNearTwins(input: SqlCheckInput, dataset: DatasetName): Promise<void> {
  const { staging, usedValues } = input;
  const { dimensions } = datasetOf(dataset);
  const [metric = ''] = metricNames(dataset);
  const skipped: readonly DimensionName[] = ['region', 'fx', 'temporal'];
  const examined = dimensions.filter(
    (name) => isText(name) && !skipped.includes(name) && mayHaveNearNames(usedValues.in(dataset, name)),
  );
  if (examined.length === 0) return;
  // Most figures occur in one row only. The table leaves these rows out, so few rows are left to compare.
  await staging.connection.run(
    `CREATE TEMP TABLE repeated AS SELECT * FROM ${stagingTable(dataset)} SEMI JOIN (SELECT ${metric}
       FROM ${stagingTable(dataset)} WHERE ${metric} <> 0 GROUP BY ${metric} HAVING count(*) > 1) USING (${metric})`,
  );
  for (const dimension of examined) await checkTwinsIn(input, dataset, dimension);
  await staging.connection.run('DROP TABLE repeated');
}

/** Reports the values of one dimension with similar names and the same figures. It reads the table `repeated`. */
async function checkTwinsIn(
  { staging, problems }: SqlCheckInput,
  dataset: DatasetName,
  dimension: DimensionName,
): Promise<void> {
  const [metric = ''] = metricNames(dataset);
  const key = columnsWithout(datasetOf(dataset).dimensions, dimension, 'region').join(', ');
  await warnOfEach(
    { staging, problems, column: dimension },
    // A figure that many rows have, such as 1, does not show that two series are the same.
    `WITH figures AS (SELECT ${key}, ${metric}, ${stagingColumn(dimension)} AS code, ${PLACE_SQL} AS place, hash(${key}, ${metric}) AS figure
        FROM repeated),
      shared AS (SELECT figure FROM figures GROUP BY figure HAVING count(*) BETWEEN 2 AND 4),
      alike AS (SELECT * FROM figures SEMI JOIN shared USING (figure)),
      twins AS (SELECT a.code AS one, b.code AS other, count(*)::INTEGER AS n, min(b.place) AS place FROM alike a
        JOIN alike b USING (${key}, ${metric}) WHERE a.place < b.place AND a.code <> b.code GROUP BY ALL HAVING n > 1)
    SELECT one, other, n, place FROM twins ORDER BY place, one, other LIMIT 1000`,
    (oneCode, otherCode, n) => {
      const [one, other] = [staging.text(oneCode), staging.text(otherCode)];
      if (nearestWord(other, [one]) === undefined) return null;
      return {
        problem: `${dimension} "${other}" has the same ${metric} as "${one}" in ${rowCountText(n)}, and nearly its name`,
        remedy: 'delete one of the two if they are one series',
        kind: `a ${dimension} twice under near names`,
      };
    },
  );
}

function mayHaveNearNames(values: readonly UsedValue[]): boolean {
  if (values.length > FEW_VALUES) return true;
  const texts = values.map(({ text }) => text);
  return texts.some((text) =>
    texts.some((other) => other !== text && nearestWord(text, [other]) !== undefined),
  );
}

/** The most values whose names are all compared with each other. With more values, the search begins with equal figures. */
const FEW_VALUES = 30;
