// Writes report.json: one entry a line, so that people can read it and it stays small.

/** In characters, without the indent. */
const LONGEST_LINE = 240;

/**
 * JSON in which an object or list is on one line where it fits, as lists of numbers always do; ends with a line
 * break.
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
  // An entry of several lines is always longer than one line may be.
  if (length <= LONGEST_LINE) return `${open}${entries.join(', ')}${close}`;
  return `${open}\n${entries.map((entry) => inner + entry).join(',\n')}\n${indent}${close}`;
}
