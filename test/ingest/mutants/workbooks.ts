// Makes a mutant of a workbook from its number, and judges the outcome of reading it.

import { zipped } from './container.ts';
import { aForgery } from './forgeZip.ts';
import { firstDifference, type Mutant } from './hunt.ts';
import { aModel, type Model } from './model.ts';
import { withMutatedBytes } from './mutateBytes.ts';
import { withMutatedXml } from './mutateXml.ts';
import { readPlainly } from './plainReader.ts';
import { NotPlain } from './plainXml.ts';
import { Random } from './random.ts';
import { conventional, dressed, type Part } from './render.ts';
import { differences, readBySheetJs } from './secondReader.ts';
import type { Read, Verdict } from './verdict.ts';

/** The mutant with this number: a workbook in an unusual form, with changed bytes, forged headers, or changed XML. */
export function workbookMutant(number: number): Mutant {
  const random = new Random(number);
  const [kind, make] = random.weighted(KINDS);
  return { kind, name: 'm.xlsx', ...make(aModel(random), random) };
}

type Make = (model: Model, random: Random) => Pick<Mutant, 'bytes' | 'changes' | 'complaint'>;

const KINDS: readonly (readonly [number, readonly [string, Make]])[] = [
  [
    15,
    [
      'workbook in an odd form',
      (model, random) => ({
        bytes: zipped(dressed(model, random), { odd: random }),
        changes: [],
        complaint: (verdict) => mustMean(model, verdict),
      }),
    ],
  ],
  [
    20,
    [
      'workbook with changed bytes',
      (model, random) => ({
        ...withMutatedBytes(zipped(conventional(model, random), { odd: random }), random),
        complaint: (verdict) => (verdict.outcome === 'refused' ? null : mustMean(model, verdict)),
      }),
    ],
  ],
  [
    15,
    [
      'workbook with forged headers',
      (model, random) => {
        const { parts, form, changes } = aForgery(conventional(model, random), random);
        const bytes = zipped(parts, form);
        return {
          bytes,
          changes,
          complaint: (verdict) => (verdict.outcome === 'refused' ? null : mustMean(model, verdict)),
        };
      },
    ],
  ],
  [
    50,
    [
      'workbook with changed XML',
      (model, random) => {
        const isPlain = random.chance(0.8);
        const original = isPlain ? conventional(model, random) : dressed(model, random);
        const { parts, changes } = withMutatedXml(original, random);
        const bytes = zipped(parts);
        // SheetJS finds parts by their types and usual names, so a mutant with other names cannot be compared.
        const mayBeCompared = isPlain && !changes.some((change) => /^a part|Types/.test(change));
        return {
          bytes,
          changes,
          complaint: (verdict) =>
            mustBeRead(parts, verdict) ?? (mayBeCompared ? mustAgree(parts, bytes, verdict) : null),
        };
      },
    ],
  ],
];

/** What is wrong with a reading; null when it gives the rows of the model. */
function mustMean(model: Model, verdict: Verdict): string | null {
  if (verdict.outcome !== 'rows') return JSON.stringify(verdict);
  const expected = model.map(({ name, hidden, rows }) => ({ name, hidden, rows }));
  const merged = model.map(({ merged: ranges }) => ranges);
  return firstDifference(expected, verdict.read) ?? firstDifference(merged, verdict.merged);
}

/** What is wrong with a reading; null when the file was refused or the simplest reader agrees. */
function mustBeRead(parts: readonly Part[], verdict: Verdict): string | null {
  if (verdict.outcome !== 'rows') return null;
  let plain: Read;
  try {
    plain = readPlainly(parts);
  } catch (error) {
    if (!(error instanceof NotPlain)) throw error;
    return `read, though ${error.message}`;
  }
  return firstDifference(plain, withoutLooks(verdict.read));
}

/** The simplest reader does not know formats that show other digits. It only marks dates that cannot be shown. */
const withoutLooks = (read: Read): unknown =>
  JSON.parse(JSON.stringify(read), (_, cell) =>
    cell?.kind === 'misshown' && cell.shown !== '#####' ? cell.value : cell,
  );

/** What is wrong with a reading; null when SheetJS sees the same. */
function mustAgree(parts: readonly Part[], bytes: Buffer, verdict: Verdict): string | null {
  if (verdict.outcome !== 'rows') return null;
  const second = readBySheetJs(bytes);
  const xml = parts.flatMap(({ name, content }) =>
    /sheet|Strings|styles/.test(name) ? [content.toString()] : [],
  );
  const [other] = second === null ? [] : differences(verdict.read, second, xml.join(''));
  return other === undefined ? null : `SheetJS: ${JSON.stringify(other)}`;
}
