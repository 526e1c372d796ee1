// Warns of texts around a table that mark its figures as a draft: `DRAFT`, `Test data`, `do not use`.

import { draftFault, draftFaultBeside } from '../../messages/draftFault.ts';
import { type Origin, wholeTable } from '../../messages/place.ts';
import type { Problems } from '../../messages/problems.ts';
import type { Aside } from '../../sources/readers/asides.ts';
import type { PlacedText } from './titleTexts.ts';

/** Warns of the first text above the header that marks the figures as a draft. */
export function warnOfDraft(titles: readonly PlacedText[], problems: Problems): void {
  for (const { text, place } of titles) {
    const fault = draftFault(text);
    if (fault === null) continue;
    problems.add('warning', place, fault);
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
