// Writes parts into a zip file, correctly in any form that the format allows, or with forged headers.

import { crc32, deflateRawSync } from 'node:zlib';
import {
  centralHeader,
  type EndNumbers,
  endRecords,
  localHeader,
  type Numbers,
  zip64Field,
} from '../../support/zipRecords.ts';
import type { Random } from './random.ts';
import type { Part } from './render.ts';

export interface ZipForm {
  /** When set, extra fields, comments, dates, data descriptors and zip64 are used at random, as the format allows. */
  readonly odd: Random | null;
  /** One statement of the headers that is false. */
  readonly forge?: Forgery;
}

/** Changes numbers in the headers of a part, or at the end of the directory, before they are written. */
export interface Forgery {
  readonly local?: (numbers: Numbers, part: number) => void;
  readonly central?: (numbers: Numbers, part: number) => void;
  readonly end?: (numbers: EndNumbers) => void;
}

/** The bytes of a zip file with these parts, in their order. */
export function zipped(parts: readonly Part[], { odd, forge }: ZipForm = { odd: null }): Buffer {
  const locals: Buffer[] = [];
  const entries: Buffer[] = [];
  let at = 0;
  for (const [i, part] of parts.entries()) {
    const stored = odd?.chance(0.2) ?? false;
    const long = odd?.chance(0.1) ?? false;
    const streamed = !long && (odd?.chance(0.3) ?? false);
    const data = stored ? part.content : deflateRawSync(part.content, { level: odd?.pick([1, 6, 9]) ?? 1 });
    const truth: Numbers = {
      name: Buffer.from(part.name),
      version: long ? 45 : 20,
      flags: (streamed ? 8 : 0) | 0x800,
      method: stored ? 0 : 8,
      crc: crc32(part.content),
      packed: data.length,
      bytes: part.content.length,
      headerAt: at,
      extra: odd?.chance(0.2) ? UNIX_TIME : Buffer.alloc(0),
    };
    const inLocal = { ...truth };
    if (streamed) Object.assign(inLocal, { crc: 0, packed: 0, bytes: 0 });
    if (long) inLocal.extra = Buffer.concat([inLocal.extra, zip64Field([truth.bytes, truth.packed])]);
    forge?.local?.(inLocal, i);
    const inCentral = { ...truth };
    if (long)
      inCentral.extra = Buffer.concat([
        inCentral.extra,
        zip64Field([truth.bytes, truth.packed, truth.headerAt]),
      ]);
    forge?.central?.(inCentral, i);
    const local = Buffer.concat([
      localHeader(inLocal, long),
      data,
      streamed ? descriptor(truth, odd) : NOTHING,
    ]);
    const comment = odd?.chance(0.1) ? Buffer.from('a comment of a part') : NOTHING;
    entries.push(centralHeader(inCentral, long, comment));
    locals.push(local);
    at += local.length;
  }
  const directory = Buffer.concat(entries);
  const end: EndNumbers = {
    disk: 0,
    countHere: parts.length,
    count: parts.length,
    bytes: directory.length,
    at,
    comment: odd?.chance(0.2)
      ? Buffer.from(odd.pick(['a comment', 'PK', `PK\x05\x06 ${'x'.repeat(300)}`]))
      : NOTHING,
  };
  forge?.end?.(end);
  return Buffer.concat([...locals, directory, ...endRecords(end, odd?.chance(0.15) ?? false)]);
}

const NOTHING = Buffer.alloc(0);
/** An extended timestamp, as Unix programs add it. */
const UNIX_TIME = Buffer.from('55540500030000000000', 'hex').subarray(0, 9);

function descriptor({ crc, packed, bytes }: Numbers, odd: Random | null): Buffer {
  const after = Buffer.alloc(16);
  after.writeUInt32LE(0x08074b50, 0);
  after.writeUInt32LE(crc, 4);
  after.writeUInt32LE(packed, 8);
  after.writeUInt32LE(bytes, 12);
  return odd?.chance(0.5) ? after.subarray(4) : after;
}
