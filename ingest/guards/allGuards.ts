// Lists all guards, in the order in which findings of one rule are reported, and what each of them finds.

import type { DatasetComparison } from '../compare/types.ts';
import { countryMoves } from './countryMoves.ts';
import type { Basis, Guard } from './guard.ts';
import { totals } from './movedTotals.ts';
import { newValues } from './newValues.ts';
import { newYears } from './newYears.ts';
import { nulls } from './nulls.ts';
import { patterns } from './patterns.ts';
import { proportionalCountries } from './proportionalCountries.ts';
import { relations } from './relations.ts';
import { renamed } from './renamed.ts';
import { revisedYears } from './revisedYears.ts';
import { rows } from './rows.ts';
import { runningYears } from './runningYears.ts';
import { units } from './units.ts';
import { gone, lost } from './vanished.ts';

const guards = {
  patterns,
  newYears,
  rows,
  totals,
  runningYears,
  countryMoves,
  revisedYears,
  gone,
  lost,
  renamed,
  units,
  nulls,
  newValues,
  proportionalCountries,
  relations,
};

export type GuardName = keyof typeof guards;

type FoundBy<Name extends GuardName> =
  (typeof guards)[Name] extends Guard<infer One, infer _About> ? One : never;

/** The figures of a finding of a guard. */
export type AboutOf<Name extends GuardName> =
  (typeof guards)[Name] extends Guard<infer _One, infer About> ? About : never;

/** What each guard found in a dataset. */
export type Found = { readonly [Name in GuardName]: readonly FoundBy<Name>[] };

export const GUARDS: { readonly [Name in GuardName]: Guard<FoundBy<Name>, AboutOf<Name>> } = guards;

export const GUARD_NAMES = Object.keys(guards) as readonly GuardName[];

/** All that the guards find in a dataset. */
export const findIn = (dataset: DatasetComparison, basis: Basis): Found =>
  Object.fromEntries(
    GUARD_NAMES.map((name) => [name, guards[name].find(dataset, basis)]),
  ) as unknown as Found;
