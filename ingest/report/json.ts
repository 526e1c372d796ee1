// Writes report.json: a line per thing, so that people can read it too and it stays small.

const LONGEST_LINE = 240;

/** JSON in which what fits on a line stands on one, and so do lists of numbers; ends with a line break. */
export const reportJson = (value: unknown): string => `${lines(value, '')}\n`;

function lines(value: unknown, indent: string): string {
  const text = JSON.stringify(value);
  if (typeof value !== 'object' || value === null || text.length <= LONGEST_LINE) return text;
  if (Array.isArray(value) && value.every((item) => typeof item === 'number')) return text;
  const inner = `${indent} `;
  const entries = Array.isArray(value)
    ? value.map((item) => lines(item, inner))
    : Object.entries(value)
        .filter(([, item]) => item !== undefined)
        .map(([key, item]) => `${JSON.stringify(key)}: ${lines(item, inner)}`);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open}\n${entries.map((entry) => inner + entry).join(',\n')}\n${indent}${close}`;
}
