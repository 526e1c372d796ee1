// Warns of texts around a table that mark its figures as a draft: `DRAFT`, `Test data`, `do not use`.

import { draftFault, draftFaultBeside } from '../messages/draftFault.ts';
import { type Origin, placeOfCell, wholeTable } from '../messages/place.ts';
import type { Problems } from '../messages/problems.ts';
import type { Aside } from '../sources/readers/asides.ts';
import { asWritten } from '../sources/readers/footnotes.ts';
import type { RawRow } from '../sources/readers/raw.ts';

/** Warns of the first text above the header that marks the figures as a draft. */
export function warnOfDraft(titles: readonly RawRow[], origin: Origin, problems: Problems): void {
  for (const { row, cells } of titles)
    for (const [index, cell] of cells.entries()) {
      const text = asWritten(cell);
      const fault = typeof text === 'string' ? draftFault(text) : null;
      if (fault === null) continue;
      problems.add('warning', placeOfCell(origin, row, `${index + 1}`, index), fault);
      return;
    }
}

/** Warns of print headers, print footers and text boxes that mark the figures as a draft. */
export function warnOfDraftBeside(asides: readonly Aside[], origin: Origin, problems: Problems): void {
  for (const { what, text } of asides) {
    const fault = draftFaultBeside(what, text);
    if (fault !== null) problems.add('warning', wholeTable(origin), fault);
  }
}
