// Generates docs/findings.md: every finding of reading and checking by the name that reports show, read from the code.

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const INGEST = fileURLToPath(new URL('../ingest', import.meta.url));

/** The sections of the page, and the folders whose findings each lists. A file counts for the first folder that it is below. */
const SECTIONS: readonly (readonly [title: string, folders: readonly string[]])[] = [
  ['Files', ['sources/readers', 'sources/folder.ts', 'sources/intake.ts', 'staging/unreadFiles.ts']],
  ['Recipes', ['sources/recipes', 'staging/recipeSources.ts']],
  [
    'Headers and sheets',
    ['sources', 'staging/readFile.ts', 'staging/readSources.ts', 'staging/readTable.ts'],
  ],
  ['Cells and rows', ['staging', 'messages']],
  ['Exchange rates', ['checks/exchangeRates']],
  ['Indicators', ['checks/indicators']],
  ['A first load, and countries that are new', ['checks/firstLoad']],
  ['Rows of any month', ['checks']],
  ['The month and its sources', ['commands/publish']],
];

/** Findings whose text the code puts together from several places, by the title of their section. */
const COMPOSED: Readonly<Record<string, readonly (readonly [name: string, says: string, remedy: string])[]>> =
  {
    Files: [
      ['.… files are not read', '', 'save it in the format that the message names'],
      ['has …, more than the limit of …', '', 'split it'],
      ['is …, not a csv', '', 'save it as "CSV UTF-8", name it after its format, or unpack it'],
      ['cells …', '… cells are …, and were read like all others: …', 'correct what should not count'],
    ],
    'Headers and sheets': [
      [
        'a column appears twice / columns appear twice',
        'column … appears twice, in … and …',
        'delete one, or move the second table to a sheet of its own',
      ],
      ['column … appears beside …', '', 'keep the one or the other'],
      ['columns headed by …', 'column "…" is headed by …', 'write the four digits of the year alone'],
      ['… is missing from the header / … are missing from the header', '', 'add it beside the others'],
      [
        '… rows are below the table "…", which ends in row … / … cells are beside the table "…", which ends in row …',
        '',
        'extend the table over the data, delete what does not belong to it, or turn the table into a range',
      ],
    ],
    'Cells and rows': [
      ['*dimension* is empty', '', 'fill it in or delete the row'],
      [
        '*dimension* is the number … / *dimension* is the truth value … / *dimension* is …',
        '',
        'write it as text',
      ],
      [
        'labels are empty below the first',
        '*dimension* is empty',
        'fill it in or delete the row, or repeat the cell above with --fill-down',
      ],
      [
        'figures in …',
        'a text or number format says that the figures are in …',
        'multiply them with --scale, or keep them as they are with --scale …=1',
      ],
      [
        '*metric* is not a number / *year* is not a year',
        '*metric* is "…"',
        'write a plain number such as 1234.5, or use --numbers; write a year from 1000 to 9999',
      ],
      ['*metric* is "…", a unit, not a number', '', 'delete the row if it holds no figures'],
      [
        '*metric*: a number format that states a unit / *metric*: a number format that states a unit other than --scale',
        '*metric* is …, and its number format shows "…"',
        'multiply the figures with --scale, or keep them as they are with --scale …=1',
      ],
      ['year is …', 'year is "…", …', 'write four digits, such as 2022'],
    ],
    'Rows of any month': [['duplicate rows', 'duplicate of … (…)', 'delete one of them']],
    'The month and its sources': [
      ['has no source', '', 'add a file named after it, or keep the current rows with --carry'],
    ],
  };

/** A finding as the code has it, where `…` stands for what differs from file to file. */
export interface Listed {
  readonly file: string;
  /** What a report calls it: the heading of its group, or its text. */
  readonly name: string;
  readonly says: string;
  readonly remedy: string;
}

/** The page. */
export function findingsPage(): string {
  const all = findings();
  const left = new Set(all);
  const sections = SECTIONS.map(([title, folders]) => {
    const own = [...left].filter(({ file }) =>
      folders.some((folder) => file === folder || file.startsWith(`${folder}/`)),
    );
    for (const one of own) left.delete(one);
    const composed = (COMPOSED[title] ?? []).map(([name, says, remedy]) => ({ name, says, remedy }));
    const rows = [
      ...new Set(
        [...own, ...composed]
          .filter((one, i) => one.name !== DAMAGED || own.findIndex(({ name }) => name === DAMAGED) === i)
          .map(({ name, says, remedy }) => `| ${[name, says, remedy].map(cell).join(' | ')} |`),
      ),
    ];
    return `## ${title}\n\n| Named | Says | Do |\n| --- | --- | --- |\n${rows.sort().join('\n')}\n`;
  });
  if (left.size > 0) throw new Error(`docs/findings.ts has no section for ${[...left][0]?.file}`);
  return `${HEAD}\n${sections.join('\n')}`;
}

const HEAD = `# Findings

For people who publish months: what reading and checking a month may report, by the name in the output, in the report and in \`kind\` of \`--json\`. [ingest.md](ingest.md) explains them, and [the guards](ingest.md#the-guards), whose findings depend on the month before.

\`…\` stands for what is in your files. A finding without a text of its own says its name. Notes that need no remedy are left out. A file that is damaged is named \`is damaged\`, whatever its text says.

Generated from \`ingest\` by \`UPDATE_DOCS=1 npm test -- test/docs\`.
`;

/** The name of all damage inside a file. */
const DAMAGED = 'is damaged';

const cell = (text: string) => text.replaceAll('|', '\\\\|').replaceAll('<', '&lt;');

/** All findings in the code, in the order of files. */
export function findings(): readonly Listed[] {
  const files = readdirSync(INGEST, { recursive: true, encoding: 'utf8' })
    .map((file) => file.split(path.sep).join('/'))
    .filter(
      (file) =>
        file.endsWith('.ts') && SECTIONS.some(([, folders]) => folders.some((one) => file.startsWith(one))),
    )
    .sort();
  const sources = new Map(
    files.map((file) => [file, withoutComments(readFileSync(path.join(INGEST, file), 'utf8'))]),
  );
  const constants = new Map(
    [...sources.values()].flatMap((source) =>
      [...source.matchAll(CONSTANT)].map(([, name = '', text = '']) => [name, text] as const),
    ),
  );
  return [...sources].flatMap(([file, source]) =>
    [...literalsIn(source), ...callsIn(source)].flatMap(({ problem, remedy, kind, before }) => {
      const text = (code: string | undefined) => textOf(withLocal(code ?? '', before), constants);
      const [says, todo, named] = [text(problem), text(remedy), text(kind)];
      if (todo === '' && kind === undefined) return [];
      const name = OF_DIMENSIONS.includes(file) ? `*dimension* ${says}` : kind === undefined ? says : named;
      const isNamed = name.includes(' ') && !NAMELESS.test(name);
      return isNamed
        ? [{ file, name, says: kind === undefined || says === UNKNOWN ? '' : says, remedy: todo }]
        : [];
    }),
  );
}

/** The code of the parts of a finding. */
interface Parts {
  readonly problem?: string | undefined;
  readonly remedy?: string | undefined;
  readonly kind?: string | undefined;
  /** The code before it, where constants of a function are. */
  readonly before: string;
}

/** Files whose findings are told behind the name of a dimension. */
const OF_DIMENSIONS: readonly string[] = ['staging/oddText.ts', 'staging/terms.ts'];

/** Names of findings whose words stand in a table of the code, which is listed in their place. */
const NAMELESS = /^(?:year |columns headed by |cells )?(?:\S+ )?(?:is |shown )?…(?: \/ …)?$/;

/** The text of a constant of the same function, where the code names one. */
function withLocal(code: string, before: string): string {
  if (!/^[a-z]+$/.test(code.trim())) return code;
  const found = [
    ...before.matchAll(new RegExp(`const ${code.trim()} =\\s+('[^'\\n]*'|\`[^\`]*\`);`, 'g')),
  ].at(-1);
  return found?.[1] ?? code;
}

const CONSTANT = /const ([A-Z][A-Z_]+)(?:: string)? =\s+('[^'\n]*'|`[^`]*`);/g;

/** Values that are called by their names in the page. */
const PLACEHOLDERS: ReadonlySet<string> = new Set([
  'metric',
  'dimension',
  'country',
  'year',
  'dataset',
  'month',
  'currency',
]);

/** What stands for a value that the code computes. */
const UNKNOWN = '…';

const withoutComments = (source: string) => source.replace(/^\s*(?:\/\/|\/?\*).*$/gm, '');

/** The object literals with a `problem`, and those of tables that have its words under another name. */
function literalsIn(source: string): readonly Parts[] {
  const words = /\b(?:problem|kind|description|what|how|size|refuses)(?=:\s)/g;
  const opened = [
    ...[...source.matchAll(words)].map(({ index }) => openBrace(source, index)),
    ...braces(source),
  ];
  return [...new Set(opened)].flatMap((start): Parts[] => {
    if (start < 0) return [];
    const parts = new Map(
      split(source, start + 1).flatMap((part) => {
        const [, name, value] =
          /^\s*(problem|remedy|kind|description|what|how|size|refuses)(?::\s*([\s\S]*))?$/.exec(part) ?? [];
        return name === undefined ? [] : [[name, value ?? name] as const];
      }),
    );
    const [problem, remedy, kind] = ['problem', 'remedy', 'kind'].map((name) => parts.get(name));
    if (/^string\b/.test(problem ?? kind ?? remedy ?? '')) return [];
    const before = source.slice(0, start);
    if (problem !== undefined) return [{ problem, remedy, kind, before }];
    const size = parts.get('size');
    if (size !== undefined && kind !== undefined)
      return [{ problem: size, remedy: "'check the unit of its figures'", kind, before }];
    const words = TABLES.flatMap(([name, ahead]) => {
      const text = parts.get(name);
      return text === undefined || !text.startsWith("'") ? [] : [`'${ahead}' + ${text}`];
    })[0];
    return words === undefined || remedy === undefined ? [] : [{ problem: words, remedy, before }];
  });
}

/** The properties of tables that name a finding, and what the code puts before them. */
const TABLES: readonly (readonly [name: string, ahead: string])[] = [
  ['description', '… is '],
  ['how', 'cells '],
  ['kind', '… '],
  ['what', '… '],
];

/** The calls of helpers that take a problem and a remedy as their last two arguments, or a problem and a name. */
const HELPERS = /(?:\brefused|#wrong|(?<!function )\brefuse|\breturn fault)\((?=[^)])/g;

function callsIn(source: string): readonly Parts[] {
  return [...source.matchAll(HELPERS)].flatMap((found): Parts[] => {
    const [problem, last] = split(source, found.index + found[0].length).slice(-2);
    if (problem === undefined || last === undefined || problem.includes(': ')) return [];
    const before = source.slice(0, found.index);
    return found[0].startsWith('return')
      ? [{ problem, kind: last, remedy: localRemedy(source), before }]
      : [{ problem, remedy: last, before }];
  });
}

/** The remedy of the first finding of a file. */
const localRemedy = (source: string) => /remedy: ('[^']*')/.exec(source)?.[1];

/** The indexes of braces outside of texts. */
function braces(source: string): readonly number[] {
  const found: number[] = [];
  for (let i = 0; i < source.length; i = '\'"`'.includes(source[i] ?? '') ? afterOne(source, i) : i + 1)
    if (source[i] === '{') found.push(i);
  return found;
}

/** The index of the brace that opens the object around an index; -1 without one. */
function openBrace(source: string, index: number): number {
  let depth = 0;
  for (let i = index - 1; i >= 0; i -= 1) {
    const sign = source[i];
    if (sign === '}' || sign === ')' || sign === ']') depth += 1;
    else if (sign === '(' || sign === '[') depth -= 1;
    else if (sign === '{' && depth === 0) return i;
    else if (sign === '{') depth -= 1;
    if (depth < 0) return -1;
  }
  return -1;
}

/** The parts between commas, from an index to the bracket that closes. */
function split(source: string, from: number): string[] {
  const parts: string[] = [];
  let start = from;
  let i = from;
  while (i < source.length) {
    const next = afterOne(source, i);
    if (next === i) break;
    if (source[i] === ',') {
      parts.push(source.slice(start, i));
      start = next;
    }
    i = next;
  }
  const last = source.slice(start, i);
  return last.trim() === '' ? parts : [...parts, last];
}

/** The index behind a text, a pair of brackets or a sign; the same index at a bracket that closes. */
function afterOne(source: string, at: number): number {
  const sign = source[at] ?? '';
  if (')]}'.includes(sign)) return at;
  if (sign === "'" || sign === '"') {
    let end = at + 1;
    while (end < source.length && source[end] !== sign) end += source[end] === '\\' ? 2 : 1;
    return end + 1;
  }
  if (sign === '`') {
    let end = at + 1;
    while (end < source.length && source[end] !== '`')
      end = source.startsWith('${', end)
        ? afterBrackets(source, end + 2)
        : end + (source[end] === '\\' ? 2 : 1);
    return end + 1;
  }
  return '([{'.includes(sign) ? afterBrackets(source, at + 1) : at + 1;
}

function afterBrackets(source: string, from: number): number {
  let i = from;
  for (let next = afterOne(source, i); next !== i && i < source.length; next = afterOne(source, i)) i = next;
  return i + 1;
}

/** The text of an expression: of a choice its parts, of a computed value `…`. */
function textOf(code: string, constants: ReadonlyMap<string, string>): string {
  const trimmed = code.trim();
  if (trimmed === '' || trimmed === 'null') return '';
  const choice = choiceIn(trimmed);
  if (choice !== null)
    return [...new Set(choice.map((one) => textOf(one, constants)).filter((one) => one !== ''))].join(' / ');
  const end = afterOne(trimmed, 0);
  const rest = trimmed.slice(end).trim();
  if (rest.startsWith('+'))
    return textOf(trimmed.slice(0, end), constants) + textOf(rest.slice(1), constants);
  if (rest !== '' || !/^['`]/.test(trimmed)) {
    const constant = constants.get(trimmed);
    return constant === undefined ? UNKNOWN : textOf(constant, constants);
  }
  const inner = trimmed.slice(1, -1);
  let text = '';
  for (let i = 0; i < inner.length; ) {
    if (trimmed.startsWith('`') && inner.startsWith('${', i)) {
      const next = afterBrackets(inner, i + 2);
      const named = inner.slice(i + 2, next - 1);
      const constant = constants.get(named);
      const placeholder = PLACEHOLDERS.has(named) ? `*${named}*` : UNKNOWN;
      text += constant === undefined ? placeholder : textOf(constant, constants);
      i = next;
    } else {
      if (inner[i] === '\\') i += 1;
      text += inner[i] ?? '';
      i += 1;
    }
  }
  return text.replace(/…(?:\s?…)+/g, UNKNOWN);
}

/** The two values of `a ? b : c`; null for any other expression. */
function choiceIn(code: string): readonly [string, string] | null {
  let question = -1;
  for (let i = 0; i < code.length; ) {
    const next = afterOne(code, i);
    if (next === i) return null;
    if (question < 0 && code[i] === '?' && code[i + 1] !== '?' && code[i - 1] !== '?' && code[i + 1] !== '.')
      question = i;
    if (question >= 0 && code[i] === ':' && code[i - 1] === ' ')
      return [code.slice(question + 1, i), code.slice(i + 1)];
    i = next;
  }
  return null;
}
