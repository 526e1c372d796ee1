// Makes zip files with false headers, and workbooks with handwritten parts.

import { crc32, deflateRawSync } from 'node:zlib';
import { unzipSync } from 'fflate';
import { workbook } from '../../ingest/workbook/workbook.ts';
import { centralHeader, endRecords, localHeader, type Numbers, zip64Field } from './zipRecords.ts';

export interface PartInput {
  readonly name: string;
  readonly content: string | Uint8Array;
  /** Whether the part is stored without compression. */
  readonly stored?: boolean;
  /** False values for the part's entry in the zip directory. */
  readonly claims?: Partial<Numbers>;
  /** A false name for the header before the part. The zip directory has the true one. */
  readonly localName?: string;
}

/** A zip file of these parts. `long` writes sizes and offsets in the form of zip64. */
export function zipOf(parts: readonly PartInput[], { long = false } = {}): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const part of parts) {
    const content = Buffer.from(part.content);
    const packed = part.stored ? content : deflateRawSync(content);
    const truth: Numbers = {
      name: Buffer.from(part.name),
      version: long ? 45 : 20,
      flags: 0,
      method: part.stored ? 0 : 8,
      crc: crc32(content),
      packed: packed.length,
      bytes: content.length,
      headerAt: at,
      extra: NOTHING,
    };
    const localName = Buffer.from(part.localName ?? part.name);
    const local = Buffer.concat([localHeader({ ...truth, name: localName }, false), packed]);
    const claimed = { ...truth, ...part.claims };
    const extra = long ? zip64Field([claimed.bytes, claimed.packed, claimed.headerAt]) : NOTHING;
    directory.push(centralHeader({ ...claimed, extra }, long, NOTHING));
    locals.push(local);
    at += local.length;
  }
  const entries = Buffer.concat(directory);
  const count = parts.length;
  const end = { disk: 0, countHere: count, count, bytes: entries.length, at, comment: NOTHING };
  return Buffer.concat([...locals, entries, ...endRecords(end, long)]);
}

const NOTHING = Buffer.alloc(0);

/** The name of the part that holds the only sheet of `workbookWith`. */
export const SHEET_PART = 'xl/worksheets/sheet1.xml';

const PLAIN = unzipSync(workbook([{ name: 'Data', rows: [['a', 'b']] }], { level: 0 }));

/** A workbook in which parts are replaced or added by name. A part of null is left out. */
export function workbookWith(
  parts: Readonly<Record<string, string | Uint8Array | null>>,
  original?: Uint8Array,
): Buffer {
  const unchanged = original === undefined ? PLAIN : unzipSync(original);
  const all: Record<string, string | Uint8Array | null> = { ...unchanged, ...parts };
  return zipOf(
    Object.entries(all).flatMap(([name, content]) => (content === null ? [] : [{ name, content }])),
  );
}

/** A workbook whose only sheet has these rows, written as XML. */
export const workbookOfXml = (rows: string): Buffer =>
  workbookWith({
    [SHEET_PART]: `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${rows}</sheetData></worksheet>`,
  });

/** The text of a part of a workbook. */
export const partOf = (book: Uint8Array, name: string): string =>
  Buffer.from(unzipSync(book)[name] ?? []).toString();

/** The part of relationships of the only sheet of `workbookWith`, by name. Each has a type and a target. */
export const relationshipsOf = (...related: readonly (readonly [type: string, target: string])[]) => ({
  'xl/worksheets/_rels/sheet1.xml.rels': relationshipsXml(related),
});

export const relationshipsXml = (related: readonly (readonly [type: string, target: string])[]): string =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${related
    .map(
      ([type, target], i) =>
        `<Relationship Id="rId${i + 1}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}"/>`,
    )
    .join('')}</Relationships>`;
