// Changes the XML of a workbook, as damage, careless programs and forgers do.

import { NotPlain } from './plainXml.ts';
import type { Random } from './random.ts';
import type { Part } from './render.ts';

/** The parts with one to three changes, and a description of each. */
export function withMutatedXml(parts: readonly Part[], random: Random): { parts: Part[]; changes: string[] } {
  const changes: string[] = [];
  let changed = [...parts];
  const times = random.weighted<number>([
    [6, 1],
    [3, 2],
    [1, 3],
  ]);
  for (let i = 0; i < times; i++) {
    if (random.chance(0.04)) {
      const [what, change] = random.pick(PACKAGE_CHANGES);
      changed = change(changed, random);
      changes.push(what);
      continue;
    }
    const name = partToChange(changed, random);
    const [what, change] = random.weighted(XML_CHANGES);
    changed = changed.map((part) => {
      if (part.name !== name) return part;
      const content = change(part.content, random);
      changes.push(`${what} in ${name}`);
      return { name, content };
    });
  }
  return { parts: changed, changes };
}

function partToChange(parts: readonly Part[], random: Random): string {
  const wanted = random.weighted(PART_WEIGHTS);
  const fitting = parts.filter(({ name }) => wanted.test(name));
  return random.pick(fitting.length > 0 ? fitting : parts).name;
}

const PART_WEIGHTS: readonly (readonly [number, RegExp])[] = [
  [60, /worksheets/],
  [14, /sharedStrings/],
  [9, /styles/],
  [8, /workbook\.xml$/],
  [8, /\.rels$/],
  [1, /Content_Types/],
];

type PackageChange = (parts: Part[], random: Random) => Part[];

const PACKAGE_CHANGES: readonly (readonly [string, PackageChange])[] = [
  ['a part left out', (parts, random) => without(parts, random.below(parts.length))],
  ['a part emptied', (parts, random) => replaced(parts, random.below(parts.length), () => Buffer.alloc(0))],
  [
    'two parts exchanged',
    (parts, random) => {
      const [a, b] = [random.below(parts.length), random.below(parts.length)];
      const [one, other] = [parts[a]?.content, parts[b]?.content];
      if (one === undefined || other === undefined) return parts;
      return replaced(
        replaced(parts, a, () => other),
        b,
        () => one,
      );
    },
  ],
  [
    'a part renamed',
    (parts, random) => {
      const at = random.below(parts.length);
      return parts.map((part, i) => (i === at ? { ...part, name: renamed(part.name, random) } : part));
    },
  ],
];

const without = (parts: readonly Part[], at: number) => parts.filter((_, i) => i !== at);

const replaced = (parts: readonly Part[], at: number, by: (content: Buffer) => Buffer) =>
  parts.map((part, i) => (i === at ? { ...part, content: by(part.content) } : part));

const renamed = (name: string, random: Random) =>
  random.pick([name.toUpperCase(), name.replaceAll('/', '\\'), `/${name}`, `${name}x`, `../${name}`]);

type XmlChange = (content: Buffer, random: Random) => Buffer;

/** Makes a change of the whole text from a change of its tokens, which are the tags and the texts between them. */
const ofTokens =
  (change: (tokens: string[], random: Random) => string[]): XmlChange =>
  (content, random) =>
    Buffer.from(change(content.toString('utf8').match(/<[^>]*>|[^<]+/g) ?? [], random).join(''));

/** Makes a change of the whole text from a change of one token: any that matches `fits`. Without one, nothing changes. */
const ofOne = (fits: RegExp, change: (token: string, random: Random) => string): XmlChange =>
  ofTokens((tokens, random) => {
    const fitting = tokens.flatMap((token, i) => (fits.test(token) ? [i] : []));
    if (fitting.length === 0) return tokens;
    const at = random.pick(fitting);
    return tokens.map((token, i) => (i === at ? change(token, random) : token));
  });

const TAG = /^<[\w]/;
const ANY_TAG = /^<[\w/]/;
const WITH_ATTRIBUTES = /^<\w[^>]*=/;
const TEXT = /^[^<]/;
const ATTRIBUTE = /([\w:]+)="([^"]*)"/g;

/** The end of the element that begins at `start`, including both tags. */
function elementEnd(tokens: readonly string[], start: number): number {
  let depth = 0;
  for (let i = start; i < tokens.length; i++) {
    const token = tokens[i] ?? '';
    if (TAG.test(token) && !token.endsWith('/>')) depth += 1;
    else if (token.startsWith('</')) depth -= 1;
    if (depth <= 0) return i + 1;
  }
  return tokens.length;
}

function anElement(tokens: readonly string[], random: Random): { start: number; end: number } {
  const starts = tokens.flatMap((token, i) => (TAG.test(token) && i > 1 ? [i] : []));
  if (starts.length === 0) throw new NotPlain('no element');
  const start = random.pick(starts);
  return { start, end: elementEnd(tokens, start) };
}

const onElement = (change: (before: string[], it: string[], after: string[], random: Random) => string[]) =>
  ofTokens((tokens, random) => {
    if (!tokens.some((token, i) => TAG.test(token) && i > 1)) return tokens;
    const { start, end } = anElement(tokens, random);
    return change(tokens.slice(0, start), tokens.slice(start, end), tokens.slice(end), random);
  });

/** Changes one of the attributes of a tag. */
const onAttribute = (change: (name: string, value: string, random: Random) => string): XmlChange =>
  ofOne(WITH_ATTRIBUTES, (token, random) => {
    const count = [...token.matchAll(ATTRIBUTE)].length;
    const at = random.below(Math.max(1, count));
    let i = 0;
    return token.replace(ATTRIBUTE, (whole, name: string, value: string) =>
      i++ === at ? change(name, value, random) : whole,
    );
  });

const VALUES = [
  '',
  ' ',
  '0',
  '1',
  '-1',
  '2',
  '7',
  '99',
  '4294967296',
  '1e3',
  '0x10',
  '1.5',
  ' 1 ',
  '+1',
  '01',
  'NaN',
  'Infinity',
  '1e999',
  '1,5',
  '1 2',
  's',
  'n',
  'b',
  'e',
  'd',
  'str',
  'inlineStr',
  'zz',
  'true',
  'FALSE',
  'A1',
  'B2',
  'XFD1',
  'XFE1',
  'a1',
  'A0',
  'A01',
  '$A$1',
  'AAAA1',
  `${'A'.repeat(300)}1`,
  'A1048577',
  '1048576',
  '1048577',
  '#N/A',
  '2024-02-30',
  '2024-05-06',
  '1999-12-31T24:00:00',
  '&lt;',
  '&#65;',
  '&#0;',
  '&#xD800;',
  '&none;',
  '_x0041_',
  '_xD83D_',
  '\u00a0',
  'é',
  'hidden',
  'visible',
  'rId1',
  'rId2',
  'yyyy',
  '0%',
  '14',
  '9',
  '164',
  '"',
  'x'.repeat(5000),
];

const XML_CHANGES: readonly (readonly [number, readonly [string, XmlChange]])[] = [
  [5, ['a tag dropped', ofOne(ANY_TAG, () => '')]],
  [4, ['a tag doubled', ofOne(ANY_TAG, (token) => token + token)]],
  [
    3,
    [
      'a tag renamed',
      ofOne(ANY_TAG, (token, random) =>
        token.replace(/\w+/, (n) =>
          random.pick([
            `${n}x`,
            n.slice(1),
            n.toUpperCase(),
            `q:${n}`,
            'row',
            'c',
            'v',
            'si',
            't',
            'is',
            'f',
          ]),
        ),
      ),
    ],
  ],
  [2, ['a tag opened and closed', ofOne(TAG, (token) => token.replace(/\/?>$/, '/>'))]],
  [2, ['a closing > dropped', ofOne(ANY_TAG, (token) => token.replace(/>$/, ''))]],
  [2, ['a quote dropped', ofOne(WITH_ATTRIBUTES, (token, random) => dropped(token, '"', random))]],
  [5, ['an element left out', onElement((before, _, after) => [...before, ...after])]],
  [5, ['an element doubled', onElement((before, it, after) => [...before, ...it, ...it, ...after])]],
  [
    4,
    [
      'an element put into itself',
      onElement((before, it, after) => [...before, ...it.slice(0, -1), ...it, ...it.slice(-1), ...after]),
    ],
  ],
  [
    3,
    [
      'an element wrapped',
      onElement((before, it, after, random) => {
        const name = random.pick([
          'x',
          'row',
          'c',
          'v',
          'si',
          'r',
          't',
          'sheetData',
          'extLst',
          'mc:Choice',
          'f',
          'is',
        ]);
        return [...before, `<${name}>`, ...it, `</${name}>`, ...after];
      }),
    ],
  ],
  [
    4,
    [
      'an element moved',
      onElement((before, it, after, random) => {
        const rest = [...before, ...after];
        const at = random.below(rest.length + 1);
        return [...rest.slice(0, at), ...it, ...rest.slice(at)];
      }),
    ],
  ],
  [
    3,
    [
      'two neighbours exchanged',
      onElement((before, it, after) => {
        const end = TAG.test(after[0] ?? '') ? elementEnd(after, 0) : 0;
        return [...before, ...after.slice(0, end), ...it, ...after.slice(end)];
      }),
    ],
  ],
  [4, ['an attribute left out', onAttribute(() => '')]],
  [
    4,
    [
      'an attribute doubled',
      onAttribute((name, value, random) => `${name}="${value}" ${name}="${random.pick([value, ...VALUES])}"`),
    ],
  ],
  [
    2,
    [
      'an attribute renamed',
      onAttribute(
        (name, value, random) =>
          `${random.pick([`q:${name}`, `${name}x`, name.toUpperCase(), 'r', 's', 't'])}="${value}"`,
      ),
    ],
  ],
  [
    9,
    [
      'an attribute changed',
      onAttribute((name, value, random) => `${name}="${random.pick([...VALUES, ...nearTo(value, random)])}"`),
    ],
  ],
  [
    8,
    [
      'a text changed',
      ofOne(TEXT, (token, random) =>
        random.pick([...VALUES, ...nearTo(token, random), ...nearTo(token, random)]),
      ),
    ],
  ],
  [3, ['a text put between', ofTokens((tokens, random) => inserted(tokens, random.pick(VALUES), random))]],
  [
    4,
    ['something put between', ofTokens((tokens, random) => inserted(tokens, random.pick(INSERTS), random))],
  ],
  [2, ['a text in CDATA', ofOne(TEXT, (token) => `<![CDATA[${token}]]>`)]],
  [
    2,
    [
      'a text cut by a comment',
      ofOne(TEXT, (token, random) => {
        const at = random.below(token.length + 1);
        return `${token.slice(0, at)}<!-- -->${token.slice(at)}`;
      }),
    ],
  ],
  [3, ['a byte changed', (content, random) => byteChanged(content, random)]],
  [
    2,
    [
      'a byte left out',
      (content, random) => spliced(content, random.below(content.length), 1, Buffer.alloc(0)),
    ],
  ],
  [
    2,
    [
      'a byte put in',
      (content, random) =>
        spliced(content, random.below(content.length), 0, Buffer.from([random.pick(BYTES)])),
    ],
  ],
  [1, ['the end cut off', (content, random) => content.subarray(0, random.below(content.length))]],
  [
    1,
    [
      'a piece cut out',
      (content, random) => spliced(content, random.below(content.length), random.below(60), Buffer.alloc(0)),
    ],
  ],
  [
    1,
    [
      'a piece doubled',
      (content, random) => {
        const at = random.below(content.length);
        return spliced(content, at, 0, content.subarray(at, at + random.below(200)));
      },
    ],
  ],
  [
    1,
    [
      'an encoding claimed',
      (content, random) =>
        Buffer.from(
          content
            .toString('utf8')
            .replace(
              /encoding="[^"]*"/,
              `encoding="${random.pick(['utf-16', 'latin1', 'utf-9', 'windows-1252', 'gbk', ''])}"`,
            ),
        ),
    ],
  ],
  [
    1,
    [
      'a mark put before',
      (content, random) =>
        Buffer.concat([
          Buffer.from(random.pick(['efbbbf', 'fffe', 'feff', 'ef', '0000feff', '20', '0a']), 'hex'),
          content,
        ]),
    ],
  ],
];

const INSERTS = [
  '<!-- a comment -->',
  '<!-- <row r="1"> -->',
  '<?pi?>',
  '<![CDATA[x]]>',
  '<!DOCTYPE x>',
  '<!ENTITY x "y">',
  '<x/>',
  '<x>1</x>',
  '<row r="1"/>',
  '<c r="A1"><v>1</v></c>',
  '<c><v>1</v></c>',
  '<v>1</v>',
  '<t>x</t>',
  '<si><t>x</t></si>',
  '<f>A1</f>',
  '<is><t>x</t></is>',
  '<row><c><v>5</v></c></row>',
  '</row>',
  '<extLst><ext><v>9</v></ext></extLst>',
  '\0',
  '\x01',
  '\ufeff',
  ']]>',
  '<',
  '>',
  '&',
  '<!--',
  '<sheetData/>',
  '<mc:AlternateContent><mc:Choice><v>1</v></mc:Choice><mc:Fallback><v>2</v></mc:Fallback></mc:AlternateContent>',
  '<sheet name="More" sheetId="9" r:id="rId1"/>',
  '<mergeCell ref="A1:B2"/>',
  '<xf numFmtId="14"/>',
  '<Relationship Id="rId1" Type="x/worksheet" Target="worksheets/sheet1.xml"/>',
];

const BYTES = [0, 1, 9, 10, 13, 32, 34, 38, 39, 47, 48, 57, 60, 61, 62, 65, 0x7f, 0x80, 0xc3, 0xef, 0xff];

/** Small changes of a text: one character more, less or different. */
function nearTo(value: string, random: Random): string[] {
  const at = random.below(value.length + 1);
  const number = Number(value);
  return [
    value.slice(0, at) + value.slice(at + 1),
    `${value.slice(0, at)}${random.pick([...'0123456789.-eE AZaz'])}${value.slice(at)}`,
    ...(Number.isFinite(number)
      ? [`${number + 1}`, `${number * 10}`, `-${value}`, ` ${value}\n`, `${value}.`, `0${value}`]
      : []),
  ].filter((near) => !near.includes('<'));
}

function inserted(tokens: string[], what: string, random: Random): string[] {
  const at = random.below(tokens.length + 1);
  return [...tokens.slice(0, at), what, ...tokens.slice(at)];
}

function dropped(token: string, character: string, random: Random): string {
  const places = [...token].flatMap((c, i) => (c === character ? [i] : []));
  if (places.length === 0) return token;
  const at = random.pick(places);
  return token.slice(0, at) + token.slice(at + 1);
}

function byteChanged(content: Buffer, random: Random): Buffer {
  const at = random.below(content.length);
  const byte = random.chance(0.5) ? random.pick(BYTES) : (content[at] ?? 0) ^ (1 << random.below(8));
  return spliced(content, at, 1, Buffer.from([byte]));
}

const spliced = (content: Buffer, at: number, remove: number, insert: Buffer) =>
  Buffer.concat([content.subarray(0, at), insert, content.subarray(at + remove)]);
