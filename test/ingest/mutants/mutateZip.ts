// Changes the bytes of a whole file, and what the headers of a zip file say.

import type { Numbers, ZipForm } from './container.ts';
import type { Random } from './random.ts';
import type { Part } from './render.ts';

/** The file with one to four of its bytes or stretches changed, and what the changes were. */
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

/** Headers are a small part of a file, and the part that is believed. */
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

/** Headers that lie: which part, which header, which number. */
export function aForgery(
  parts: readonly Part[],
  random: Random,
): { form: ZipForm; parts: Part[]; changes: string[] } {
  const odd = random.chance(0.5) ? random : null;
  const [what, forge] = random.weighted(FORGERIES);
  const part = random.below(parts.length);
  return { changes: [`${what} (part ${part})`], ...forge({ part, parts: [...parts], odd, random }) };
}

interface Scene {
  readonly part: number;
  readonly parts: Part[];
  readonly odd: Random | null;
  readonly random: Random;
}

type Forge = (scene: Scene) => { form: ZipForm; parts: Part[] };

const LIES = [0, 1, 2, 7, 255, 0xffff, 0x10000, 0x7fffffff, 0xffffffff];

const header =
  (which: 'local' | 'central', change: (numbers: Numbers, random: Random) => void): Forge =>
  ({ part, parts, odd, random }) => ({
    parts,
    form: { odd, forge: { [which]: (numbers: Numbers, i: number) => i === part && change(numbers, random) } },
  });

const NUMBERS = ['flags', 'method', 'crc', 'packed', 'bytes', 'headerAt', 'version'] as const;

const lie = (numbers: Numbers, random: Random) => {
  const which = random.pick(NUMBERS);
  const lies = [...LIES, numbers[which] + 1, numbers[which] - 1, numbers[which] ^ 8, numbers[which] ^ 1];
  numbers[which] =
    random.pick(lies) % (which === 'flags' || which === 'method' || which === 'version' ? 0x10000 : 2 ** 32);
  if (numbers[which] < 0) numbers[which] = 0;
};

const NAMES = [
  '',
  '/',
  'xl/',
  '../x',
  'xl/workbook.xml',
  'XL/WORKBOOK.XML',
  'xl\\styles.xml',
  'a\0b',
  '\ufeff',
  'x'.repeat(60_000),
];

const FORGERIES: readonly (readonly [number, readonly [string, Forge]])[] = [
  [6, ['a number of a local header', header('local', lie)]],
  [6, ['a number of the directory', header('central', lie)]],
  [
    2,
    [
      'a name in a local header',
      header('local', (numbers, random) => {
        numbers.name = Buffer.from(random.pick(NAMES));
      }),
    ],
  ],
  [
    2,
    [
      'a name in the directory',
      header('central', (numbers, random) => {
        numbers.name = Buffer.from(random.pick(NAMES));
      }),
    ],
  ],
  [
    2,
    [
      'an extra field',
      header('central', (numbers, random) => {
        numbers.extra = Buffer.from(
          random.pick([
            '01000000',
            '0100ffff',
            '010008000000000000000000',
            '0100',
            '01001000ffffffffffffffffffffffffffffffff',
            'ff',
          ]),
          'hex',
        );
      }),
    ],
  ],
  [
    3,
    [
      'a number of the end',
      ({ parts, odd, random }) => ({
        parts,
        form: {
          odd,
          forge: {
            end: (end) => {
              const which = random.pick(['disk', 'countHere', 'count', 'bytes', 'at'] as const);
              end[which] = Math.max(
                0,
                random.pick([...LIES, end[which] + 1, end[which] - 1, end[which] - 60]),
              );
            },
          },
        },
      }),
    ],
  ],
  [
    2,
    [
      'a part twice',
      ({ part, parts, odd, random }) => ({
        parts: [...parts, { name: parts[part]?.name ?? '', content: random.pick(parts).content }],
        form: { odd },
      }),
    ],
  ],
  [
    1,
    [
      'an end in the comment',
      ({ parts, odd, random }) => ({
        parts,
        form: {
          odd,
          forge: {
            end: (end) => {
              const fake = Buffer.alloc(22);
              fake.write('PK\x05\x06', 'latin1');
              fake.writeUInt16LE(random.pick([0, end.count, 1]), 10);
              fake.writeUInt32LE(random.pick([0, end.bytes, 46]), 12);
              fake.writeUInt32LE(random.pick([0, end.at, end.at + 46]), 16);
              end.comment = fake;
            },
          },
        },
      }),
    ],
  ],
];
