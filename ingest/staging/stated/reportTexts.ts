// Reports what the texts around the figures of a table state about them: units, other measures, drafts.

import { draftFault, draftFaultInAside } from '../../messages/draftFault.ts';
import type { Diagnostic } from '../../messages/fault.ts';
import { type Origin, type TableStatement, wholeTable } from '../../messages/place.ts';
import type { Problems } from '../../messages/problems.ts';
import type { Aside } from '../../sources/readers/asides.ts';
import type { RawRow } from '../../sources/readers/rawFile.ts';
import type { TableContext } from '../tableContext.ts';
import { derivedMeasureFault } from './derivedMeasures.ts';
import { namedMeasureFault, namesOf } from './namedMeasures.ts';
import { statementsBeside } from './statements.ts';
import { reportUnitsAbove, reportUnitsBeside } from './tableUnits.ts';
import { type PlacedText, textsIn } from './titleTexts.ts';

/**
 * Reports what the names of the file and the sheet, the titles and the header state. `first` are the first rows of the
 * table.
 */
export function reportTextsAbove(
  first: readonly RawRow[],
  table: TableContext,
  origin: Origin,
  problems: Problems,
): void {
  const { dataset, header } = table.mapping;
  reportUnitsAbove(first, table, origin, problems);
  const titles = textsIn(
    first.filter(({ row }) => row < header.row),
    origin,
  );
  const named = [...titles, ...namesOf(dataset, origin)];
  warnOfFirst(titles, ({ text }) => derivedMeasureFault(dataset, text), problems);
  warnOfFirst(named, (text) => namedMeasureFault(dataset, text), problems);
  warnOfFirst(titles, ({ text }) => draftFault(text), problems);
}

/** Warns of the first text that has a fault. */
function warnOfFirst(
  texts: readonly PlacedText[],
  faultOf: (text: PlacedText) => Diagnostic | null,
  problems: Problems,
): void {
  for (const text of texts) {
    const fault = faultOf(text);
    if (fault !== null) {
      problems.add('warning', text.place, fault);
      return;
    }
  }
}

/** Reports what the texts that are in no cell state about the figures. Returns their statements on the rows. */
export function reportTextsBeside(
  asides: readonly Aside[],
  table: TableContext,
  origin: Origin,
  problems: Problems,
): readonly TableStatement[] {
  reportUnitsBeside(asides, table, origin, problems);
  for (const { what, text } of asides) {
    const fault = draftFaultInAside(what, text);
    if (fault !== null) problems.add('warning', wholeTable(origin), fault);
  }
  return statementsBeside(asides, table.mapping.header, origin);
}
