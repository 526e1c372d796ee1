// Lists all guards, in the order in which findings of one rule are reported, and what each of them finds.

import type { DatasetComparison } from '../compare/comparisonTypes.ts';
import { countryMovesGuard } from './countryMovesGuard.ts';
import { goneValuesGuard } from './goneValuesGuard.ts';
import type { Guard, GuardContext } from './guard.ts';
import { lostValuesGuard } from './lostValuesGuard.ts';
import { newValuesGuard } from './newValuesGuard.ts';
import { newYearsGuard } from './newYearsGuard.ts';
import { nullsGuard } from './nullsGuard.ts';
import { patternsGuard } from './patternsGuard.ts';
import { proportionalCountriesGuard } from './proportionalCountriesGuard.ts';
import { relationsGuard } from './relationsGuard.ts';
import { renamedGuard } from './renamedGuard.ts';
import { revisedYearsGuard } from './revisedYearsGuard.ts';
import { rowsGuard } from './rowsGuard.ts';
import { runningYearsGuard } from './runningYearsGuard.ts';
import { totalsGuard } from './totalsGuard.ts';
import { unitsGuard } from './unitsGuard.ts';

const guards = {
  patterns: patternsGuard,
  newYears: newYearsGuard,
  rows: rowsGuard,
  totals: totalsGuard,
  runningYears: runningYearsGuard,
  countryMoves: countryMovesGuard,
  revisedYears: revisedYearsGuard,
  goneValues: goneValuesGuard,
  lostValues: lostValuesGuard,
  renamed: renamedGuard,
  units: unitsGuard,
  nulls: nullsGuard,
  newValues: newValuesGuard,
  proportionalCountries: proportionalCountriesGuard,
  relations: relationsGuard,
};

export type GuardName = keyof typeof guards;

type FoundOf<Name extends GuardName> =
  (typeof guards)[Name] extends Guard<infer One, infer _About> ? One : never;

/** The figures of a finding of a guard. */
export type AboutOf<Name extends GuardName> =
  (typeof guards)[Name] extends Guard<infer _One, infer About> ? About : never;

/** What each guard found in a dataset. */
export type FoundByGuard = { readonly [Name in GuardName]: readonly FoundOf<Name>[] };

export const GUARDS: { readonly [Name in GuardName]: Guard<FoundOf<Name>, AboutOf<Name>> } = guards;

export const GUARD_NAMES = Object.keys(guards) as readonly GuardName[];

/** All that the guards find in a dataset. */
export const findByGuard = (dataset: DatasetComparison, context: GuardContext): FoundByGuard =>
  Object.fromEntries(
    GUARD_NAMES.map((name) => [name, guards[name].find(dataset, context)]),
  ) as unknown as FoundByGuard;
