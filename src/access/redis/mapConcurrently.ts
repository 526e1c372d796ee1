// Maps items with commands of Redis, a few hundred at a time, so that Redis stays busy and no command times out.

/** How many items are handled at the same time. */
const MAX_ITEMS = 200;
/** How many entries of lists are read or written at the same time. They take Redis tens of milliseconds. */
const MAX_ENTRIES = 20_000;

/**
 * The results of `map`, in the order of the items. Rejects with the first failure.
 *
 * @param entriesOf gives how many entries of lists `map` reads or writes for an item. An item with more than
 * `MAX_ENTRIES` is handled alone.
 */
export async function mapConcurrently<Item, Result>(
  items: readonly Item[],
  map: (item: Item) => Promise<Result>,
  entriesOf: (item: Item) => number = () => 0,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const batch of batchesOf(items, entriesOf)) results.push(...(await Promise.all(batch.map(map))));
  return results;
}

function batchesOf<Item>(items: readonly Item[], entriesOf: (item: Item) => number): Item[][] {
  const batches: Item[][] = [];
  let [batch, entries]: [Item[], number] = [[], 0];
  for (const item of items) {
    const itemEntries = entriesOf(item);
    if (batch.length === 0 || batch.length >= MAX_ITEMS || entries + itemEntries > MAX_ENTRIES) {
      [batch, entries] = [[], 0];
      batches.push(batch);
    }
    batch.push(item);
    entries += itemEntries;
  }
  return batches;
}
