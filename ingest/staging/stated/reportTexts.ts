// Reports what the texts around the figures of a table state about them: units, other measures, drafts.

import type { DatasetName } from '../../../src/catalog/datasets.ts';
import { draftFault, draftFaultInAside } from '../../messages/draftFault.ts';
import { type Origin, type TableStatement, wholeTable } from '../../messages/place.ts';
import type { Problems } from '../../messages/problems.ts';
import type { Header } from '../../sources/header/headerTypes.ts';
import type { Aside } from '../../sources/readers/asides.ts';
import type { RawRow } from '../../sources/readers/rawFile.ts';
import type { ColumnMapping } from '../columnMapping.ts';
import type { ReadingContext } from '../tableContext.ts';
import { warnOfDerivedMeasure } from './derivedMeasures.ts';
import { warnOfNamedMeasure } from './namedMeasures.ts';
import { statementsBeside } from './statements.ts';
import { reportUnitsAbove, reportUnitsBeside } from './tableUnits.ts';
import { type PlacedText, textsIn } from './titleTexts.ts';

/**
 * Reports what the names of the file and the sheet, the titles and the header state. `first` are the first rows of the
 * table.
 */
export function reportTextsAbove(
  table: { readonly dataset: DatasetName; readonly header: Header; readonly first: readonly RawRow[] },
  origin: Origin,
  context: ReadingContext,
  problems: Problems,
): void {
  const { dataset, header, first } = table;
  reportUnitsAbove(table, origin, context, problems);
  const titles = textsIn(
    first.filter(({ row }) => row < header.row),
    origin,
  );
  warnOfDerivedMeasure(dataset, titles, problems);
  warnOfNamedMeasure(dataset, titles, origin, problems);
  warnOfDraft(titles, problems);
}

/** Reports what the texts that are in no cell state about the figures. Returns their statements on the rows. */
export function reportTextsBeside(
  asides: readonly Aside[],
  { dataset, header }: ColumnMapping,
  origin: Origin,
  context: ReadingContext,
  problems: Problems,
): readonly TableStatement[] {
  reportUnitsBeside(asides, header, { dataset, origin, context }, problems);
  warnOfDraftBeside(asides, origin, problems);
  return statementsBeside(asides, header, origin);
}

/** Warns of the first text above the header that marks the figures as a draft. */
function warnOfDraft(titles: readonly PlacedText[], problems: Problems): void {
  for (const { text, place } of titles) {
    const fault = draftFault(text);
    if (fault === null) continue;
    problems.add('warning', place, fault);
    return;
  }
}

/** Warns of print headers, print footers and text boxes that mark the figures as a draft. */
function warnOfDraftBeside(asides: readonly Aside[], origin: Origin, problems: Problems): void {
  for (const { what, text } of asides) {
    const fault = draftFaultInAside(what, text);
    if (fault !== null) problems.add('warning', wholeTable(origin), fault);
  }
}
