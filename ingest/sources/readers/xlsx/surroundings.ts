// Reads what a worksheet says of itself beside its cells: merged ranges, hidden columns, filters.

import type { Place } from '../../../messages/place.ts';
import { HiddenParts } from '../hidden.ts';
import { LIMITS } from '../limits.ts';
import { CellLooks } from '../looks.ts';
import { type CellRange, UnreadableError } from '../raw.ts';
import type { Attributes } from '../xml/attributes.ts';
import { damagedXml } from '../xml/damage.ts';
import { cellRange, isCellReference } from './reference.ts';
import type { SheetEnd } from './sheetInThread.ts';

export class Surroundings {
  readonly #place: Place;
  readonly merged: CellRange[] = [];
  readonly hidden = new HiddenParts();
  readonly looks = new CellLooks();

  /** `place` is the sheet. */
  constructor(place: Place) {
    this.#place = place;
  }

  /** What is known so far. */
  known(): SheetEnd {
    return { merged: this.merged, remarks: [...this.hidden.remarks(), ...this.looks.remarks()] };
  }

  /** An element outside of the rows. */
  open(name: string, attributes: Attributes): void {
    if (name === 'mergeCell') this.#addMerged(attributes);
    else if (name === 'filterColumn') this.hidden.sawFilter();
    else if (name === 'col' && /^(1|true)$/.test(attributes.get('hidden') ?? ''))
      this.hidden.hideColumns(Number(attributes.get('min')) - 1, Number(attributes.get('max')) - 1);
  }

  #addMerged(attributes: Attributes): void {
    const ref = attributes.get('ref') ?? '';
    if (isCellReference(ref)) return;
    const range = cellRange(ref);
    if (range === null) throw damagedXml(this.#place, `it merges the cells "${ref.slice(0, 20)}"`);
    this.merged.push(range);
    if (this.merged.length <= LIMITS.mergedRanges) return;
    throw new UnreadableError({
      place: this.#place,
      problem: `has more than ${LIMITS.mergedRanges} ranges of merged cells`,
      remedy: 'unmerge them',
    });
  }
}
