// Parses durations that people type, such as 90s, 30m, 24h or 7d.

const UNIT_MS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Ten years. A longer duration is probably a typing mistake. */
const MAX_MS = 3650 * UNIT_MS.d;

/** The duration in milliseconds; null for a text that is not a duration, and for more than ten years. */
export function durationMs(text: string): number | null {
  const [, count, unit] = /^([0-9]{1,9})([smhd])$/.exec(text) ?? [];
  if (count === undefined || unit === undefined) return null;
  const ms = Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS];
  return ms <= MAX_MS ? ms : null;
}
