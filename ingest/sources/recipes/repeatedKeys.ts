// Finds keys that appear twice in one object of a JSON text, because `JSON.parse` drops the first one without an error.

export interface RepeatedKey {
  /** The keys and indexes that lead to the second of the two keys. */
  readonly path: readonly (string | number)[];
  /** The lines of the first and the second key. */
  readonly lines: readonly [first: number, second: number];
}

/** An object or array that has begun and not ended. */
interface Open {
  /** The line of each key of an object; null for an array. */
  readonly keys: Map<string, number> | null;
  /** The key or index of the value that comes next. */
  at: string | number;
}

/** Matches a string, a bracket, a colon, a comma or a line end. Nothing else in JSON is needed to find keys. */
const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\],:\n]/g;

/**
 * The keys that appear a second time in their object, in the order of the text.
 *
 * @param json A text that `JSON.parse` reads.
 */
export function repeatedKeys(json: string): readonly RepeatedKey[] {
  const found: RepeatedKey[] = [];
  const open: Open[] = [];
  let line = 1;
  let string = '';
  for (const [token] of json.matchAll(TOKENS)) {
    const inside = open.at(-1);
    if (token === '\n') line += 1;
    else if (token === '{') open.push({ keys: new Map(), at: '' });
    else if (token === '[') open.push({ keys: null, at: 0 });
    else if (token === '}' || token === ']') open.pop();
    else if (token === ',') {
      if (typeof inside?.at === 'number') inside.at += 1;
    } else if (token === ':') {
      if (inside === undefined) continue;
      const key: string = JSON.parse(string);
      inside.at = key;
      const first = inside.keys?.get(key);
      if (first !== undefined) found.push({ path: open.map(({ at }) => at), lines: [first, line] });
      else inside.keys?.set(key, line);
    } else string = token;
  }
  return found;
}
