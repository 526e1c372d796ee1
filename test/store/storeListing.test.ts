// The listing of the snapshots in a store: its order, and when it is read anew.

import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { ObjectStore } from '../../src/store/objectStore.ts';
import type { SharedState } from '../../src/store/sharedState.ts';
import { createStoreListing } from '../../src/store/storeListing.ts';
import { STORE_LOGIN, startStore, type TestStore } from '../support/objectStoreServer.ts';

let server: TestStore;
let store: ObjectStore;
beforeEach(async () => {
  server = await startStore();
  store = new ObjectStore(
    { bucket: 'snapshots', prefix: 'team/' },
    { ...STORE_LOGIN, AWS_ENDPOINT_URL: server.endpoint },
  );
});
afterEach(() => server.close());

const manifestOf = (id: string) => `team/snapshots/${id}/manifest.json`;
const hold = (...ids: readonly string[]) => {
  for (const id of ids) server.objects.set(manifestOf(id), Buffer.from('{}'));
};
const stateOf = (...ids: readonly string[]): SharedState => ({
  current: ids.at(-1) ?? '',
  history: ids.map((id) => ({ event: 'published', id, at: '2026-11-01T00:00:00.000Z' })),
  abandoned: [],
  etag: ids.join(),
});

it('sorts the ids by month and revision', async () => {
  hold('2026-11.10', '2026-11.2', '2026-10.1');
  expect(await createStoreListing(store, 60_000).list(null)).toEqual([
    '2026-10.1',
    '2026-11.2',
    '2026-11.10',
  ]);
});

it('has the newest snapshot although a listing from before its publication still runs', async () => {
  hold('2026-10.1');
  server.leftOut = 'team/snapshots/2026-10.1/';
  const listing = createStoreListing(store, 60_000);
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  // The listing leaves out this snapshot, so it is looked up by name, and that request waits.
  const asked = new Promise<void>((resolve) => {
    server.before = async (request) => {
      if (request !== `GET ${manifestOf('2026-10.1')}`) return;
      resolve();
      await released;
    };
  });
  const early = listing.list(stateOf('2026-10.1'));
  await asked;
  server.before = () => {};
  hold('2026-11.1');
  const late = listing.list(stateOf('2026-10.1', '2026-11.1'));
  const both = ['2026-10.1', '2026-11.1'];
  // Neither listing may wait for the other, and the earlier one must not replace the later one.
  expect(await late).toEqual(both);
  release();
  expect(await early).toEqual(['2026-10.1']);
  expect(listing.ids()).toEqual(both);
});
