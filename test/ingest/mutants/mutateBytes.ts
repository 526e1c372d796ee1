// Changes the bytes of a whole file, as disks, transfers and attackers do.

import type { Random } from './random.ts';

/** The file with one to four changes of bytes or ranges, and a description of each. */
export function withMutatedBytes(bytes: Buffer, random: Random): { bytes: Buffer; changes: string[] } {
  const changes: string[] = [];
  let changed = bytes;
  const times = 1 + random.below(random.chance(0.7) ? 1 : 4);
  for (let i = 0; i < times && changed.length > 0; i++) {
    const [what, change] = random.weighted(BYTE_CHANGES);
    const at = random.chance(0.5) ? random.below(changed.length) : nearHeader(changed, random);
    changed = change(changed, at, random);
    changes.push(`${what} at ${at}`);
  }
  return { bytes: changed, changes };
}

/** A position near a header. Headers are a small part of a file, but readers rely on them. */
function nearHeader(bytes: Buffer, random: Random): number {
  const found: number[] = [];
  for (let at = bytes.indexOf('PK'); at >= 0; at = bytes.indexOf('PK', at + 1)) found.push(at);
  const at = (found.length > 0 ? random.pick(found) : 0) + random.below(60);
  return Math.min(at, bytes.length - 1);
}

type ByteChange = (bytes: Buffer, at: number, random: Random) => Buffer;

const spliced = (bytes: Buffer, at: number, remove: number, insert: Uint8Array) =>
  Buffer.concat([bytes.subarray(0, at), insert, bytes.subarray(at + remove)]);

const BYTE_CHANGES: readonly (readonly [number, readonly [string, ByteChange]])[] = [
  [
    8,
    [
      'a bit flipped',
      (bytes, at, random) => spliced(bytes, at, 1, Buffer.from([(bytes[at] ?? 0) ^ (1 << random.below(8))])),
    ],
  ],
  [
    4,
    [
      'a byte set',
      (bytes, at, random) => spliced(bytes, at, 1, Buffer.from([random.pick([0, 1, 0x7f, 0x80, 0xff])])),
    ],
  ],
  [
    2,
    [
      'four bytes set',
      (bytes, at, random) => spliced(bytes, at, 4, Buffer.alloc(4, random.pick([0, 0xff, 0x7f]))),
    ],
  ],
  [2, ['a byte left out', (bytes, at) => spliced(bytes, at, 1, Buffer.alloc(0))]],
  [2, ['a byte put in', (bytes, at, random) => spliced(bytes, at, 0, Buffer.from([random.below(256)]))]],
  [2, ['cut off', (bytes, at) => bytes.subarray(0, at)]],
  [1, ['the beginning cut off', (bytes, at) => bytes.subarray(at)]],
  [1, ['a piece cut out', (bytes, at, random) => spliced(bytes, at, 1 + random.below(500), Buffer.alloc(0))]],
  [
    1,
    [
      'a piece zeroed',
      (bytes, at, random) => {
        const length = Math.min(1 + random.below(500), bytes.length - at);
        return spliced(bytes, at, length, Buffer.alloc(length));
      },
    ],
  ],
  [
    1,
    [
      'a piece doubled',
      (bytes, at, random) => spliced(bytes, at, 0, bytes.subarray(at, at + random.below(500))),
    ],
  ],
  [
    1,
    [
      'a piece moved',
      (bytes, at, random) => {
        const piece = bytes.subarray(at, at + 1 + random.below(300));
        const rest = spliced(bytes, at, piece.length, Buffer.alloc(0));
        return spliced(rest, random.below(rest.length + 1), 0, piece);
      },
    ],
  ],
  [
    1,
    [
      'bytes put behind',
      (bytes, _, random) =>
        Buffer.concat([bytes, Buffer.alloc(1 + random.below(40), random.pick([0, 10, 0x50]))]),
    ],
  ],
  [1, ['the file twice', (bytes) => Buffer.concat([bytes, bytes])]],
];
