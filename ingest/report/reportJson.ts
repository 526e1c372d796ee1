// Writes report.json with one entry on each line, so that it is small and people can read it.

/** The most characters of a line, without its indent. */
const LONGEST_LINE = 240;

/**
 * JSON in which each object or list that is short enough has one line. A list of numbers always has one line. The text ends
 * in a line break.
 */
export const reportJson = (value: unknown): string => `${lines(value, '')}\n`;

function lines(value: unknown, indent: string): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const isList = Array.isArray(value);
  if (isList && value.every((item) => typeof item === 'number')) return JSON.stringify(value);
  const inner = `${indent} `;
  const entries = isList
    ? value.map((item) => lines(item, inner))
    : Object.entries(value)
        .filter(([, item]) => item !== undefined)
        .map(([key, item]) => `${JSON.stringify(key)}: ${lines(item, inner)}`);
  const [open, close] = isList ? '[]' : '{}';
  const length = entries.reduce((sum, entry) => sum + entry.length + 2, 0);
  // An entry of several lines is longer than the limit by itself, so it is never joined with others.
  if (length <= LONGEST_LINE) return `${open}${entries.join(', ')}${close}`;
  return `${open}\n${entries.map((entry) => inner + entry).join(',\n')}\n${indent}${close}`;
}
