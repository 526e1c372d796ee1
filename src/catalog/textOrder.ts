// Compares text by code points, as DuckDB does, for the row order (ruling 13).

/**
 * Negative when `a` comes before `b`. JavaScript compares UTF-16 units, which gives another order for some characters.
 */
export const byCodePoints = (a: string, b: string): number =>
  a === b ? 0 : Buffer.compare(Buffer.from(a), Buffer.from(b));
