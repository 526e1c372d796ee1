// A table of revised rows, with their values in the two snapshots that are compared.

import type { VNode } from 'preact';
import type { Revision } from '../api/compareSnapshots.ts';
import { valueLabel } from '../labels.ts';
import { FORECAST } from '../model/facts.ts';
import {
  exactText,
  readableText,
  signedPercentText,
  withNonBreakingNumbers,
} from '../model/numberFormats.ts';
import { COMPARE } from '../texts/viewTexts.ts';
import { ScrollBox } from './scrollBox.tsx';

interface RevisionsTableProps {
  readonly revisions: readonly Revision[];
  /** The ids of both snapshots, the older one first. */
  readonly snapshots: readonly [string, string];
  /** The unit of the values; null when it differs between rows. */
  readonly unit: string | null;
}

/**
 * A row for each revision. It states the roles of its elements, because style.css makes rows grids on narrow screens. Some
 * browsers then treat them as rows only if they have roles.
 */
export function RevisionsTable({ revisions, snapshots, unit }: RevisionsTableProps): VNode {
  return (
    <ScrollBox label={COMPARE.largest}>
      <table role="table" aria-label={COMPARE.largest}>
        <thead role="rowgroup">
          <tr role="row">
            <th role="columnheader" scope="col">
              {COMPARE.row}
            </th>
            {[...snapshots, COMPARE.difference].map((head) => (
              <th role="columnheader" scope="col" class="number">
                {head}
                {unit !== null && (
                  <>
                    {' '}
                    <span class="unit">{unit}</span>
                  </>
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {revisions.map(({ dimensions, before, after }) => (
            <tr role="row">
              <td role="cell" class="wraps">
                <bdi>{rowName(dimensions)}</bdi>
              </td>
              <td role="cell" class="number">
                {before === null ? '–' : exactText(before)}
              </td>
              <td role="cell" class="number">
                {after === null ? '–' : exactText(after)}
              </td>
              <td role="cell" class="number">
                {difference(before, after)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}

function rowName({ region, temporal, ...others }: Readonly<Record<string, string | number>>): string {
  const forecast = temporal === FORECAST ? { temporal } : {};
  return Object.entries({ ...others, ...forecast })
    .filter(([, value]) => value !== '')
    .map(([name, value]) => valueLabel(name, String(value)))
    .join(' · ');
}

function difference(before: number | null, after: number | null): string {
  if (before === null || after === null) return after === null ? COMPARE.withdrawn : COMPARE.new;
  const size = after - before;
  const percent = signedPercentText(before, after);
  return `${size > 0 ? '+' : ''}${readableText(size, { kind: 'other', text: '' })}${percent && ` (${withNonBreakingNumbers(percent)})`}`;
}
