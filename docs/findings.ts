// Makes the text of docs/findings.md from the code: every finding of reading and checking, by the name in reports.

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type CallExpression,
  type Expression,
  type ObjectExpression,
  parseSync,
  type VariableDeclarator,
} from '@swc/core';
import { groupBy } from '../src/basics/lists.ts';

const INGEST = fileURLToPath(new URL('../ingest', import.meta.url));

/** The sections of the page with their folders and files. A file belongs to the first section that lists it. */
const SECTIONS: readonly (readonly [title: string, folders: readonly string[]])[] = [
  ['Files', ['sources/readers', 'sources/folder.ts', 'sources/sourceCopies.ts', 'staging/unreadFiles.ts']],
  ['Recipes', ['sources/recipes', 'staging/recipeSources.ts']],
  [
    'Headers and sheets',
    [
      'sources',
      'staging/readFile.ts',
      'staging/readSources.ts',
      'staging/unreadSheets.ts',
      'staging/otherDataset.ts',
    ],
  ],
  ['Cells and rows', ['staging', 'messages']],
  ['Exchange rates', ['checks/exchangeRates']],
  ['Indicators', ['checks/indicators']],
  ['A first load, and countries that are new', ['checks/firstLoad']],
  ['Rows of any month', ['checks']],
  ['The month and its sources', ['commands/publish']],
];

/** Findings whose text the code composes of several parts, by the title of their section. */
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

/** A finding in the code. `…` stands for the parts of the text that the code computes. */
export interface Listed {
  readonly file: string;
  /** The name in reports: the heading of its group, or its text. */
  readonly name: string;
  readonly says: string;
  readonly remedy: string;
}

/**
 * The text of docs/findings.md.
 *
 * @throws {Error} when a file with findings belongs to no section.
 */
export function findingsPage(): string {
  const all = findings();
  const left = new Set(all);
  const sections = SECTIONS.map(([title, folders]) => {
    const own = [...left].filter(({ file }) =>
      folders.some((folder) => file === folder || file.startsWith(`${folder}/`)),
    );
    for (const one of own) left.delete(one);
    const composed = (COMPOSED[title] ?? []).map(([name, says, remedy]) => ({ name, says, remedy }));
    const isComposed = (name: string) =>
      composed.some((one) => one.name.split(' / ').some((whole) => whole.endsWith(name.replace(/^…/, ''))));
    const found = own.filter(
      ({ name, says, remedy }, i) =>
        says + remedy !== '' &&
        !isComposed(name) &&
        (name !== DAMAGED || own.findIndex((one) => one.name === DAMAGED) === i),
    );
    const rows = merged([...found, ...composed]).map(
      ({ name, says, remedy }) => `| ${[name, says, remedy].map(cell).join(' | ')} |`,
    );
    return `## ${title}\n\n| Named | Says | Do |\n| --- | --- | --- |\n${rows.sort().join('\n')}\n`;
  });
  if (left.size > 0) throw new Error(`docs/findings.ts has no section for ${[...left][0]?.file}`);
  return `${HEAD}\n${sections.join('\n')}`;
}

/** Merges findings with the same name and text into one, which has the remedies of all of them. */
const merged = (all: readonly Omit<Listed, 'file'>[]): readonly Omit<Listed, 'file'>[] =>
  [...groupBy(all, ({ name, says }) => JSON.stringify([name, says])).values()].map((same) => ({
    ...same[0],
    remedy: [...new Set(same.map(({ remedy }) => remedy))].filter((remedy) => remedy !== '').join(' / '),
  }));

const HEAD = `# Findings

For people who publish months: what reading and checking a month may report, by the name in the output, in the report and in \`kind\` of \`--json\`. [ingest.md](ingest.md) explains them, and [the guards](ingest.md#the-guards), whose findings depend on the month before.

\`…\` stands for what is in your files. A finding without a text of its own says its name. Notes that need no remedy are left out. A file that is damaged is named \`is damaged\`, whatever its text says.

Generated from \`ingest\` by \`UPDATE_DOCS=1 npm test -- test/docs\`.
`;

/** The name of all findings about damage inside a file. Only one of them is listed. */
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
  const nodes = new Map(files.map((file) => [file, nodesOf(readFileSync(path.join(INGEST, file), 'utf8'))]));
  const constants = [...nodes.values()].flatMap((ofFile) =>
    declared(ofFile).filter(({ position }) => position === 0),
  );
  return [...nodes].flatMap(([file, ofFile]) => {
    const known = [...constants, ...declared(ofFile)];
    return [...inObjects(ofFile), ...inCalls(ofFile)].flatMap(
      ({ problem, ahead = '', remedy, kind, position }) => {
        const text = (code: Expression | undefined) => textOf(code, (name) => valueAt(known, name, position));
        const [says, named] = [ahead + text(problem), text(kind)];
        const todo = typeof remedy === 'string' ? remedy : text(remedy);
        if (todo === '' && kind === undefined) return [];
        const name = OF_DIMENSIONS.includes(file) ? `*dimension* ${says}` : kind === undefined ? says : named;
        if (!name.includes(' ') || NAMELESS.test(name)) return [];
        return { file, name, says: kind === undefined || says === UNKNOWN ? '' : says, remedy: todo };
      },
    );
  });
}

/** Files whose findings follow the name of a dimension in messages. */
const OF_DIMENSIONS: readonly string[] = ['staging/damagedText.ts', 'staging/dimensionTexts.ts'];

/** Matches names that consist mostly of computed parts. `TABLES` and `COMPOSED` give their words instead. */
const NAMELESS = /^(?:year |columns headed by |cells )?(?:\S+ )?(?:is |shown )?…(?: \/ …)?$/;

/** Names of values that the page shows as names, such as *metric*, and not as `…`. */
const PLACEHOLDERS: ReadonlySet<string> = new Set([
  'metric',
  'dimension',
  'country',
  'year',
  'dataset',
  'month',
  'currency',
]);

/** Stands for a part that the code computes. */
const UNKNOWN = '…';

/** The syntax that this file looks for. */
type Node = Expression | VariableDeclarator;

/** All nodes of a source, outer ones first. */
function nodesOf(source: string): readonly Node[] {
  const found: Node[] = [];
  const visit = (tree: unknown) => {
    if (typeof tree !== 'object' || tree === null) return;
    if ('type' in tree) found.push(tree as Node);
    for (const part of Object.values(tree)) visit(part);
  };
  visit(parseSync(source, { syntax: 'typescript', target: 'es2022' }).body);
  return found;
}

/** A constant whose value is a text. */
interface Declared {
  readonly name: string;
  readonly value: Expression;
  /** The position of its declaration; 0 for a constant of the module, because functions above it may use it. */
  readonly position: number;
}

const declared = (nodes: readonly Node[]): readonly Declared[] =>
  nodes.flatMap((node) => {
    if (node.type !== 'VariableDeclarator' || node.id.type !== 'Identifier') return [];
    const { init } = node;
    const isText = init?.type === 'StringLiteral' || init?.type === 'TemplateLiteral';
    const name = node.id.value;
    return isText ? { name, value: init, position: /^[A-Z_]+$/.test(name) ? 0 : node.span.start } : [];
  });

/** The value of the last constant with this name that is declared before `position`; undefined when there is none. */
const valueAt = (known: readonly Declared[], name: string, position: number): Expression | undefined =>
  known.findLast((one) => one.name === name && one.position < position)?.value;

/** The parts of a finding as expressions of the code. */
interface Parts {
  readonly problem: Expression;
  /** The words that the code puts before the problem. */
  readonly ahead?: string;
  readonly remedy?: Expression | string | undefined;
  readonly kind?: Expression | undefined;
  /** The position in the code. */
  readonly position: number;
}

/** The objects with a `problem`, and the entries of tables whose property for it has another name. */
const inObjects = (nodes: readonly Node[]): readonly Parts[] =>
  nodes.flatMap((node): readonly Parts[] => {
    if (node.type !== 'ObjectExpression') return [];
    const { problem, remedy, kind, size, ...others } = propertiesOf(node);
    const position = node.span.start;
    if (problem !== undefined) return [{ problem, remedy, kind, position }];
    if (size !== undefined && kind !== undefined)
      return [{ problem: size, remedy: CHECK_UNIT, kind, position }];
    const [words] = TABLES.flatMap(([name, ahead]) => {
      const text = name === 'kind' ? kind : others[name];
      return text?.type === 'StringLiteral' ? [{ problem: text, ahead }] : [];
    });
    return words === undefined || remedy === undefined ? [] : [{ ...words, remedy, position }];
  });

/** The properties of tables that contain a problem, each with the words that the code puts before it. */
const TABLES: readonly (readonly [name: string, ahead: string])[] = [
  ['description', '… is '],
  ['how', 'cells '],
  ['kind', '… '],
  ['what', '… '],
];

/** The remedy of all findings about the size of figures. The code adds it to them. */
const CHECK_UNIT = 'check the unit of its figures';

/** The values of an object by name. */
const propertiesOf = ({ properties }: ObjectExpression): Readonly<Record<string, Expression>> =>
  Object.fromEntries(
    properties.flatMap((one): (readonly [string, Expression])[] => {
      if (one.type === 'Identifier') return [[one.value, one]];
      return one.type === 'KeyValueProperty' && one.key.type === 'Identifier'
        ? [[one.key.value, one.value]]
        : [];
    }),
  );

/**
 * The calls of `unreadableFile`, and of functions whose last two arguments are a problem and its remedy, or a problem and its
 * kind.
 */
function inCalls(nodes: readonly Node[]): readonly Parts[] {
  const [remedyOfFile] = nodes.flatMap((node) => {
    const { remedy } = node.type === 'ObjectExpression' ? propertiesOf(node) : {};
    return remedy?.type === 'StringLiteral' ? [remedy] : [];
  });
  return nodes.flatMap((node): readonly Parts[] => {
    if (node.type !== 'CallExpression') return [];
    const name = calledName(node);
    const args = node.arguments.map(({ expression }) => expression);
    const [problem, last, kind] = args.slice(name === 'unreadableFile' ? 1 : -2);
    if (problem === undefined || last === undefined) return [];
    const position = node.span.start;
    if (name === 'unreadableFile') return [{ problem, remedy: last, kind, position }];
    if (REFUSING.includes(name)) return [{ problem, remedy: last, position }];
    return name === 'fault' ? [{ problem, kind: last, remedy: remedyOfFile, position }] : [];
  });
}

const REFUSING: readonly string[] = ['wrong'];

function calledName({ callee }: CallExpression): string {
  if (callee.type === 'Identifier') return callee.value;
  const property = callee.type === 'MemberExpression' ? callee.property : undefined;
  // By the parser's types, the name is in `id`. In fact it is in `value`.
  return property?.type === 'PrivateName' && 'value' in property ? String(property.value) : '';
}

/** Gives the value of a constant by its name; undefined when the code declares no such constant with a text. */
type ConstantOf = (name: string) => Expression | undefined;

/** The text of an expression. A choice gives both texts, a computed value gives `…`. */
function textOf(code: Expression | undefined, constantOf: ConstantOf): string {
  const text = (one: Expression): string => textOf(one, constantOf);
  switch (code?.type) {
    case undefined:
    case 'NullLiteral':
      return '';
    case 'StringLiteral':
      return code.value;
    case 'ParenthesisExpression':
      return text(code.expression);
    case 'ArrowFunctionExpression':
      return code.body.type === 'BlockStatement' ? UNKNOWN : text(code.body);
    case 'BinaryExpression':
      return code.operator === '+' ? text(code.left) + text(code.right) : UNKNOWN;
    case 'ConditionalExpression': {
      const both = [text(code.consequent), text(code.alternate)].filter((one) => one !== '');
      return [...new Set(both)].join(' / ');
    }
    case 'Identifier': {
      const value = constantOf(code.value);
      return value === undefined ? UNKNOWN : text(value);
    }
    case 'TemplateLiteral':
      return code.quasis
        .map(({ cooked = '' }, i) => cooked + insertedText(code.expressions[i], constantOf))
        .join('')
        .replace(/…(?:\s?…)+/g, UNKNOWN);
    default:
      return UNKNOWN;
  }
}

/** The text of a value inside a template. A value of `PLACEHOLDERS` gives its name. */
function insertedText(code: Expression | undefined, constantOf: ConstantOf): string {
  if (code?.type !== 'Identifier') return code === undefined ? '' : UNKNOWN;
  const value = constantOf(code.value);
  if (value !== undefined) return textOf(value, constantOf);
  return PLACEHOLDERS.has(code.value) ? `*${code.value}*` : UNKNOWN;
}
