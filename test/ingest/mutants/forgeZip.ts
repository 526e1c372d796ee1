// Makes forgeries of a zip file's headers.

import type { Numbers } from '../../support/zipRecords.ts';
import type { ZipForm } from './container.ts';
import type { Random } from './random.ts';
import type { Part } from './render.ts';

/** A forged zip file: its form and parts, and a description of what is false. */
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
