// Turns a JSON line of the log into a line for people, with time, level, message and facts.

import { printable } from '../text/printable.ts';

const LEVELS: Readonly<Record<number, string>> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'warn',
  50: 'error',
  60: 'fatal',
};

/** Facts that a person at the terminal of the process does not need. */
const OMITTED = new Set(['pid', 'hostname']);

/**
 * A line such as `10:42:53.120 info  answered  method=GET path=/v1/catalog status=200`. The time is in UTC. The stack
 * of an error follows in further lines.
 */
export function readableLine(json: string): string {
  const { time, level, msg, err, ...facts } = JSON.parse(json) as Readonly<Record<string, unknown>>;
  const clock = new Date(Number(time)).toISOString().slice('2026-01-01T'.length, -1);
  const shownFacts = Object.entries(facts)
    .filter(([name]) => !OMITTED.has(name))
    .map(([name, value]) => `${name}=${typeof value === 'string' ? quoted(value) : JSON.stringify(value)}`);
  const line = [clock, (LEVELS[Number(level)] ?? '').padEnd(5), printable(String(msg)), ...shownFacts].join(
    ' ',
  );
  const stack = (err as { readonly stack?: string } | undefined)?.stack;
  const below = stack?.split('\n').map((stackLine) => `${printable(stackLine)}\n`) ?? [];
  return `${line}\n${below.join('')}`;
}

/** The text, in quotes if its end would not be clear without them. */
const quoted = (text: string) => (/^[^\s"=]+$/.test(text) ? text : JSON.stringify(text));
