// Asks Redis many things, some at once: enough to keep it busy, few enough that none waits long.

const AT_ONCE = 200;

/** What `ask` gives for each item, in their order. */
export async function inTurns<Item, Result>(
  items: readonly Item[],
  ask: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let at = 0; at < items.length; at += AT_ONCE)
    results.push(...(await Promise.all(items.slice(at, at + AT_ONCE).map(ask))));
  return results;
}
