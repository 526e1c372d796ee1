// `inspect <file>`: what a file holds, in words and tables.

import type { Outcome } from '../../src/commandLine.ts';
import { printable, printableJson } from '../../src/printable.ts';
import { inspect } from './inspect.ts';
import { printedTable } from './output/inspection.ts';
import { proposalsFor, recipeFor } from './proposals.ts';

/** `typed` names the file in what is said. Errors that a publish would report come last, with their remedies. */
export async function inspectFile(file: string, typed: string): Promise<Outcome> {
  const inspected = await inspect(file, typed);
  const proposals = await proposalsFor(file, typed);
  const recipe = proposals.length > 0 ? recipeFor(inspected) : null;
  const text = [
    `${printable(inspected.file)} (${inspected.format})\n\n`,
    inspected.tables.map(printedTable).join('\n'),
    proposals.length === 0 ? '' : '\nA publish would refuse it:\n',
    ...proposals.map(
      ({ place, problem, remedy }) =>
        `  ${place}: ${printable(problem)}${remedy === null ? '' : `\n    → ${printable(remedy)}`}\n`,
    ),
    recipe === null
      ? ''
      : `\nA recipe to begin with (a folder with these files, for --recipe):\n\n${printableJson(recipe)}`,
  ].join('');
  return { json: { ...inspected, proposals, recipe }, text };
}
