// Reports what the texts around the figures of a table state about them: units, other measures, drafts. Collects statements on rows.

import type { DatasetName } from '../../../src/catalog/datasets.ts';
import type { Origin, TableStatement } from '../../messages/place.ts';
import type { Problems } from '../../messages/problems.ts';
import type { Header } from '../../sources/header/types.ts';
import type { Aside } from '../../sources/readers/asides.ts';
import type { RawRow } from '../../sources/readers/raw.ts';
import type { Placement } from '../placement.ts';
import type { ReadingContext } from '../tableContext.ts';
import { warnOfDraft, warnOfDraftBeside } from './drafts.ts';
import { warnOfNamedMeasure } from './namedMeasures.ts';
import { warnOfOtherMeasure } from './otherMeasures.ts';
import { statementsBeside } from './statements.ts';
import { reportAsides, reportUnits } from './tableUnits.ts';
import { textsIn } from './titleTexts.ts';

/** Reports what the names of the file and the sheet, the titles and the header state. `first` are the first rows of the table. */
export function reportStatedAbove(
  table: { readonly dataset: DatasetName; readonly header: Header; readonly first: readonly RawRow[] },
  origin: Origin,
  context: ReadingContext,
  problems: Problems,
): void {
  const { dataset, header, first } = table;
  reportUnits(table, origin, context, problems);
  const titles = textsIn(
    first.filter(({ row }) => row < header.row),
    origin,
  );
  warnOfOtherMeasure(dataset, titles, problems);
  warnOfNamedMeasure(dataset, titles, origin, problems);
  warnOfDraft(titles, problems);
}

/** Reports what the texts that are in no cell state about the figures. Returns their statements on the rows. */
export function reportStatedBeside(
  asides: readonly Aside[],
  { dataset, header }: Placement,
  origin: Origin,
  context: ReadingContext,
  problems: Problems,
): readonly TableStatement[] {
  reportAsides(asides, header, { dataset, origin, context }, problems);
  warnOfDraftBeside(asides, origin, problems);
  return statementsBeside(asides, header, origin);
}
