// Warns of states that are named like a country, and of codes of states, such as `NY`, beside full names.

import type { DatasetName } from '../../../src/catalog/datasets.ts';
import { stagingTable } from '../../staging/database/stagingTables.ts';
import type { CheckedBySql } from '../checkedRows.ts';
import { PLACE, placeOfNumber, rowCount, rowsOf } from '../places.ts';

/** Reports states that have the name of their own country, or of another country. */
export async function checkStates(
  { staging, used, problems }: CheckedBySql,
  dataset: DatasetName,
): Promise<void> {
  const countries = new Set(used.in(dataset, 'country').map(({ text }) => text));
  const alike = used.in(dataset, 'state').filter(({ text }) => countries.has(text));
  if (alike.length === 0) return;
  const found = await rowsOf(
    staging,
    `SELECT country_code, state_code, count(*)::INTEGER, min(${PLACE}) AS place FROM ${stagingTable(dataset)}
    WHERE state_code IN (${alike.map(({ text }) => staging.code(text)).join(', ')}) GROUP BY ALL ORDER BY place`,
  );
  for (const [countryCode, stateCode, n, place] of found) {
    const [country, state] = [staging.text(countryCode), staging.text(stateCode)];
    const at = placeOfNumber(staging, place as bigint, 'state');
    if (state === country)
      problems.add('warning', at, {
        problem: `state "${country}" is the country itself (${rowCount(n)})`,
        remedy: 'leave the cell empty where the row is about the country as a whole',
        kind: 'a state named like its country',
      });
    else if (!STATES_LIKE_COUNTRIES.has(state))
      problems.add('warning', at, {
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

/** Reports countries with states both as codes and by name, because some of them are probably one state under two names. */
export async function checkStateCodes(
  { staging, used, problems }: CheckedBySql,
  dataset: DatasetName,
): Promise<void> {
  const all = used.in(dataset, 'state').filter(({ text }) => text !== '');
  if (new Set(all.map(({ text }) => isStateCode(text))).size < 2) return;
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
