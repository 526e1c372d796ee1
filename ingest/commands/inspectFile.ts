// The command `inspect <file>`: describes the tables of a file and the errors that a publish would report.

import { stat } from 'node:fs/promises';
import type { Outcome } from '../../src/terminal/commandLine.ts';
import { wrapped } from '../../src/terminal/wrap.ts';
import { printable, printableJson } from '../../src/text/printable.ts';
import { UnreadableError } from '../messages/fault.ts';
import { wholeFile } from '../messages/place.ts';
import { readUnchanged } from '../sources/sourceCopies.ts';
import { inspect } from './inspect.ts';
import { printedTable } from './output/printedTable.ts';
import { proposalsFor, recipeFor } from './proposals.ts';

/**
 * Describes a file. The errors that a publish would report come last, with their remedies and a proposed recipe.
 *
 * @param typed The path as the user typed it, which the text shows.
 */
export async function inspectFile(file: string, typed: string): Promise<Outcome> {
  await refuseFolder(file, typed);
  const { inspected, proposals } = await readUnchanged(file, typed, async () => ({
    inspected: await inspect(file, typed),
    proposals: await proposalsFor(file, typed),
  }));
  const recipe = proposals.length > 0 ? recipeFor(inspected) : null;
  const width = process.stdout.isTTY ? process.stdout.columns : undefined;
  const text = [
    `${printable(inspected.file)} (${inspected.format})\n\n`,
    inspected.tables.map((table) => printedTable(table, width)).join('\n'),
    proposals.length === 0 ? '' : '\nA publish would refuse it:\n',
    ...proposals.map(
      ({ place, problem, remedy }) =>
        wrapped(`${place}: ${printable(problem)}`, '  ', '    ', width) +
        (remedy === null ? '' : wrapped(`→ ${printable(remedy)}`, '    ', '      ', width)),
    ),
    recipe === null
      ? ''
      : `\nA recipe to begin with (a folder with these files, for --recipe):\n\n${printableJson(recipe)}`,
  ].join('');
  return { json: { ...inspected, proposals, recipe }, text };
}

async function refuseFolder(path: string, typed: string): Promise<void> {
  const found = await stat(path).catch(() => null);
  if (found?.isDirectory() === true)
    throw new UnreadableError({
      place: wholeFile(typed),
      problem: 'is a folder, and inspect reads one file',
      remedy: 'name a file in it; publish --dry-run reads them all',
    });
}
