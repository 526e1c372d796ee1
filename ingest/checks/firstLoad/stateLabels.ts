// Warns of states that are named like a country, and of codes of states, such as `NY`, beside full names.

import { groupBy } from '../../../src/basics/lists.ts';
import type { DatasetName } from '../../../src/catalog/datasets.ts';
import type { StagingView } from '../../staging/database/staging.ts';
import { stagingTable } from '../../staging/database/stagingTables.ts';
import type { SqlCheckInput } from '../checkInput.ts';
import { PLACE_SQL, placeOfCellAt, queryStaging, rowCountText } from '../stagedPlaces.ts';

/** Reports states that have the name of their own country, or of another country. */
export async function checkStates(
  { staging, usedValues, problems }: SqlCheckInput,
  dataset: DatasetName,
): Promise<void> {
  const countries = new Set(usedValues.in(dataset, 'country').map(({ text }) => text));
  const alike = usedValues.in(dataset, 'state').filter(({ text }) => countries.has(text));
  if (alike.length === 0) return;
  const codes = alike.map(({ text }) => staging.code(text)).join(', ');
  for (const { country, state, rows, place } of await statesIn(staging, dataset, `IN (${codes})`)) {
    const at = placeOfCellAt(staging, place, 'state');
    if (state === country)
      problems.add('warning', at, {
        problem: `state "${country}" is the country itself (${rowCountText(rows)})`,
        remedy: 'leave the cell empty where the row is about the country as a whole',
        kind: 'a state named like its country',
      });
    else if (!STATES_LIKE_COUNTRIES.has(state))
      problems.add('warning', at, {
        problem: `state "${state}" of ${country} is the name of another country (${rowCountText(rows)})`,
        remedy: 'check whether the row belongs to that country; leave the state empty where there is none',
        kind: 'a state named like another country',
      });
  }
}

/** States and provinces that really share their name with another country. */
const STATES_LIKE_COUNTRIES: ReadonlySet<string> = new Set(
  'Georgia|Granada|Guatemala|Jersey|Luxembourg|Mexico|Niger|Panama|Western Sahara'.split('|'),
);

/** Reports countries with states both as codes and by name, because some of them are probably one state under two names. */
export async function checkStateCodes(
  { staging, usedValues, problems }: SqlCheckInput,
  dataset: DatasetName,
): Promise<void> {
  const all = usedValues.in(dataset, 'state').filter(({ text }) => text !== '');
  if (new Set(all.map(({ text }) => isStateCode(text))).size < 2) return;
  const found = await statesIn(staging, dataset, `<> ${staging.code('')}`);
  for (const [country, states] of groupBy(found, (one) => one.country)) {
    const codes = states.filter(({ state }) => isStateCode(state));
    const other = states.find(({ state }) => !isStateCode(state));
    const [first] = codes;
    if (first === undefined || other === undefined) continue;
    const rows = codes.reduce((sum, one) => sum + one.rows, 0);
    const letters = codes.map(({ state }) => state).join(', ');
    problems.add('warning', placeOfCellAt(staging, first.place, 'state'), {
      problem: `states of ${country} are in letters (${letters}, ${rowCountText(rows)}) beside states in full, such as "${other.state}"`,
      remedy: 'write them alike',
      kind: 'states in letters beside states in full',
    });
  }
}

/** The states whose code fulfils an SQL condition, each with its number of rows and the place of the first one. */
async function statesIn(staging: StagingView, dataset: DatasetName, condition: string) {
  const found = await queryStaging(
    staging,
    `SELECT country_code, state_code, count(*)::INTEGER, min(${PLACE_SQL}) AS place FROM ${stagingTable(dataset)}
    WHERE state_code ${condition} GROUP BY ALL ORDER BY place`,
  );
  return found.map(([country, state, n, place]) => ({
    country: staging.text(country),
    state: staging.text(state),
    rows: Number(n),
    place: place as bigint,
  }));
}

const isStateCode = (text: string): boolean => /^[A-Z]{2,3}$/.test(text);
