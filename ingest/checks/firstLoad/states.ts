// Warns of states that are named like a country, and of states in letters beside states in full.

import type { DatasetName } from '../../../src/catalog/datasets.ts';
import { stagingTable } from '../../staging/database/staging.ts';
import type { CheckedBySql } from '../checkedRows.ts';
import { PLACE, placeOf, placeOfNumber, ROW, rowCount, rowsOf, SOURCE } from '../places.ts';
import type { UsedValue, UsedValues } from '../usedValues.ts';

/** Reports states that have the name of their own country, or of another country. */
export async function checkStates({ staging, problems }: CheckedBySql, dataset: DatasetName): Promise<void> {
  const found = await rowsOf(
    staging,
    `WITH countries AS (SELECT DISTINCT country_code AS other FROM ${stagingTable(dataset)}),
      same AS (SELECT country_code, state_code, count(*)::INTEGER AS n, min(${PLACE}) AS place FROM ${stagingTable(dataset)}
        WHERE state_code IN (SELECT other FROM countries) GROUP BY ALL)
    SELECT country_code, state_code, n, ${SOURCE}, ${ROW} FROM same ORDER BY place`,
  );
  for (const [countryCode, stateCode, n, source, row] of found) {
    const [country, state] = [staging.text(countryCode), staging.text(stateCode)];
    const place = placeOf(staging, source, row, 'state');
    if (state === country)
      problems.add('warning', place, {
        problem: `state "${country}" is the country itself (${rowCount(n)})`,
        remedy: 'leave the cell empty where the row is about the country as a whole',
        kind: 'a state named like its country',
      });
    else if (!STATES_LIKE_COUNTRIES.has(state))
      problems.add('warning', place, {
        problem: `state "${state}" of ${country} is the name of another country (${rowCount(n)})`,
        remedy: 'check whether the row belongs to that country; leave the state empty where there is none',
        kind: 'a state named like another country',
      });
  }
}

/** States and provinces that really share their name with another country. */
const STATES_LIKE_COUNTRIES: ReadonlySet<string> = new Set([
  'Georgia',
  'Granada',
  'Guatemala',
  'Jersey',
  'Luxembourg',
  'Mexico',
  'Niger',
  'Panama',
  'Western Sahara',
]);

/** Whether any states are named like a country of the dataset. */
export function hasStatesLikeCountries(dataset: DatasetName, used: UsedValues): boolean {
  const countries = new Set(used.in(dataset, 'country').map(({ text }) => text));
  return used.in(dataset, 'state').some(({ text }) => countries.has(text));
}

/** Whether some states are codes of two or three letters, and others are not. */
export const hasStateCodes = (states: readonly UsedValue[]): boolean =>
  states.some(({ text }) => isStateCode(text)) &&
  states.some(({ text }) => text !== '' && !isStateCode(text));

/** Reports countries with states both as codes and by name, because some of them are probably one state under two names. */
export async function checkStateCodes(
  { staging, problems }: CheckedBySql,
  dataset: DatasetName,
): Promise<void> {
  const found = await rowsOf(
    staging,
    `SELECT country_code, state_code, count(*)::INTEGER, min(${PLACE}) AS place FROM ${stagingTable(dataset)}
     WHERE state_code <> ${staging.code('')} GROUP BY ALL ORDER BY place`,
  );
  for (const country of new Set(found.map(([code]) => code))) {
    const states = found.filter(([code]) => code === country);
    const codes = states.filter(([, state]) => isStateCode(staging.text(state)));
    const other = states.find(([, state]) => !isStateCode(staging.text(state)));
    const [first] = codes;
    if (first === undefined || other === undefined) continue;
    const rows = codes.reduce((sum, [, , n]) => sum + Number(n), 0);
    const letters = codes.map(([, state]) => staging.text(state)).join(', ');
    problems.add('warning', placeOfNumber(staging, first[3] as bigint, 'state'), {
      problem: `states of ${staging.text(country)} are in letters (${letters}, ${rowCount(rows)}) beside states in full, such as "${staging.text(other[1])}"`,
      remedy: 'write them alike',
      kind: 'states in letters beside states in full',
    });
  }
}

const isStateCode = (text: string): boolean => /^[A-Z]{2,3}$/.test(text);
