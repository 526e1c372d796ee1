// Handles the list of keys, which is filtered and sorted in memory, and the form that revokes several keys.

import type { IndexedKey } from '../../../access/keys/keyIndex.ts';
import type { KeyInfo } from '../../../access/keys/keyRecords.ts';
import { mintSecret } from '../../../access/secret.ts';
import { eachInSlices, sortedInSlices } from '../../../access/slicedLists.ts';
import { type Reply, seeOther } from '../reply.ts';
import {
  type KeyListQuery,
  keyList,
  SORTS,
  type SortName,
  STATES,
  type StateFilter,
  USES,
  type UseFilter,
} from '../templates/keyListPage.ts';
import { confirmRevocations } from '../templates/revokePage.ts';
import { matchOf } from './keySearch.ts';
import { type FormVisit, ok, pageOfList, sentBefore, type Visit } from './teamVisit.ts';

const DAY_MS = 86_400_000;

/** The list of keys that the filters of the address select. */
export async function showKeys(visit: Visit): Promise<Reply> {
  const { deps, query } = visit;
  const all = await deps.index.list();
  const listQuery = readQuery(query);
  const defaults = deps.settings.rateLimits;
  const nowMs = Date.now();
  const isMatch = matchOf(listQuery.q);
  const isFound = (key: IndexedKey) =>
    STATE_HOLDS[listQuery.state](key) &&
    USE_HOLDS[listQuery.use](key, nowMs, key.perDay ?? defaults.perDay) &&
    isMatch(key);
  const numbers = { active: 0, today: 0 };
  const byAge: IndexedKey[] = [];
  await eachInSlices(all, (key) => {
    if (key.state === 'active') numbers.active += 1;
    numbers.today += key.dayUse;
    if (isFound(key)) byAge.push(key);
  });
  const order = ORDERS[listQuery.sort];
  const matchingKeys = order === null ? byAge : await sortedInSlices(byAge, order);
  if (listQuery.isDescending) matchingKeys.reverse();
  const { part: keysOfPage, ...paging } = pageOfList(matchingKeys, query, parametersOf(listQuery));
  return ok(
    keyList(visit, {
      keys: keysOfPage,
      total: all.length,
      found: matchingKeys.length,
      listQuery,
      linkTo: (changed) => `?${new URLSearchParams(parametersOf({ ...listQuery, ...changed }))}`,
      paging,
      defaults,
      once: mintSecret(),
      summary: { ...numbers, ended: all.length - numbers.active },
      confirmation: confirmationIn(query),
    }),
  );
}

/**
 * The confirmation that is shown after a redirect. Anybody can change the address, so only numbers are taken from it.
 */
function confirmationIn(query: URLSearchParams): string | null {
  if (query.get('said') !== 'revoked') return null;
  const count = (name: string) => Number(query.get(name)) || 0;
  return [revokedNow(count('count')), revokedMeanwhile(count('already'))].filter(Boolean).join(' ') || null;
}

function revokedNow(count: number): string {
  if (count === 0) return '';
  return count === 1
    ? 'One key is revoked. Its next request is refused.'
    : `${count} keys are revoked. Their next requests are refused.`;
}

function revokedMeanwhile(count: number): string {
  if (count === 0) return '';
  return `${count === 1 ? 'One key was' : `${count} keys were`} revoked meanwhile, by somebody else.`;
}

function readQuery(query: URLSearchParams): KeyListQuery {
  const q = (query.get('q') ?? '').trim().slice(0, 100);
  const words = q.toLowerCase().split(/\s+/);
  const namesEndedState = words.includes('revoked') || words.includes('expired');
  const state = oneOf<StateFilter>(STATES, query.get('state')) ?? defaultState(q);
  return {
    q,
    // A search for `revoked` or `expired` would find nothing among the active keys.
    state: namesEndedState && state === 'active' ? 'all' : state,
    use: oneOf<UseFilter>(USES, query.get('use')) ?? 'any',
    sort: oneOf<SortName>(SORTS, query.get('sort')) ?? 'created',
    isDescending: query.get('sort') === null || query.get('dir') === 'desc',
  };
}

/** The filter by state for an address without one. A search includes keys of all states. */
const defaultState = (q: string): StateFilter => (q === '' ? 'active' : 'all');

const oneOf = <Name extends string>(
  names: Readonly<Record<Name, unknown>>,
  text: string | null,
): Name | null => (Object.keys(names) as Name[]).find((name) => name === text) ?? null;

/** The parameters of the list's address. Those that have their default values are left out. */
const parametersOf = ({ q, state, use, sort, isDescending }: KeyListQuery): Record<string, string> => ({
  ...(q !== '' && { q }),
  ...(state !== defaultState(q) && { state }),
  ...(use !== 'any' && { use }),
  ...((sort !== 'created' || !isDescending) && { sort, dir: isDescending ? 'desc' : 'asc' }),
});

const STATE_HOLDS: Readonly<Record<StateFilter, (key: KeyInfo) => boolean>> = {
  active: ({ state }) => state === 'active',
  ending: ({ state, expiresMs }) => state === 'active' && expiresMs !== null,
  ended: ({ state }) => state !== 'active',
  revoked: ({ state }) => state === 'revoked',
  expired: ({ state }) => state === 'expired',
  all: () => true,
};

const USE_HOLDS: Readonly<Record<UseFilter, (key: KeyInfo, nowMs: number, perDay: number) => boolean>> = {
  any: () => true,
  today: ({ dayUse }) => dayUse > 0,
  near: ({ dayUse }, _, perDay) => dayUse >= 0.8 * perDay,
  idle: ({ usedMs, createdMs }, nowMs) => nowMs - (usedMs ?? createdMs) > 30 * DAY_MS,
  never: ({ usedMs }) => usedMs === null,
};

/**
 * The comparisons for ascending order; null for the order of the index, by creation. Equal keys stay in the order of
 * the index.
 */
const ORDERS: Readonly<Record<SortName, ((a: IndexedKey, b: IndexedKey) => number) | null>> = {
  label: byOrder,
  state: (a, b) => STATE_ORDER[a.state] - STATE_ORDER[b.state],
  created: null,
  used: (a, b) => (a.usedMs ?? 0) - (b.usedMs ?? 0),
  today: (a, b) => a.dayUse - b.dayUse,
};

/** Compares labels by UTF-16 units. Comparing ten thousand of them by the rules of a language would take too long. */
function byOrder(a: IndexedKey, b: IndexedKey): number {
  return a.sortKey < b.sortKey ? -1 : a.sortKey > b.sortKey ? 1 : 0;
}

const STATE_ORDER = { active: 0, expired: 1, revoked: 2, damaged: 3 } as const;

/** Shows a list of the keys to confirm, and revokes them when the list is confirmed. */
export async function revokeMany(visit: FormVisit): Promise<Reply> {
  const { deps, form, session, root } = visit;
  const wanted = new Set(form.getAll('id').slice(0, MAX_KEYS_AT_ONCE));
  const chosen = (await deps.index.list()).filter(({ id }) => wanted.has(id));
  const keys = chosen.filter(({ state }) => state !== 'revoked');
  const isConfirmed = form.get('confirmed') === 'yes';
  const isSure = form.get('sure') === 'yes';
  if (keys.length > 0 && !(isConfirmed && isSure)) {
    const page = confirmRevocations(visit, { keys, once: mintSecret(), isUnticked: isConfirmed });
    return { status: isConfirmed ? 400 : 200, page };
  }
  if (keys.length > 0 && !(await deps.forms.isFirstSubmission(form.get('once') ?? '')))
    return sentBefore(visit);
  let count = 0;
  for (const { id } of keys) if ((await deps.keys.revoke(id, session.by)) === 'revoked') count += 1;
  const outcome = new URLSearchParams({
    said: 'revoked',
    count: String(count),
    already: String(chosen.length - count),
  });
  return seeOther(`${root}admin${chosen.length > 0 ? `?${outcome}` : ''}`);
}

const MAX_KEYS_AT_ONCE = 1000;
