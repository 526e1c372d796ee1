// Maps items through Redis a few hundred at a time: enough to keep it busy, few enough that no command times out.

const BATCH_SIZE = 200;

/** The results of `map`, in the order of the items. Rejects with the first failure. */
export async function mapConcurrently<Item, Result>(
  items: readonly Item[],
  map: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let at = 0; at < items.length; at += BATCH_SIZE)
    results.push(...(await Promise.all(items.slice(at, at + BATCH_SIZE).map(map))));
  return results;
}
