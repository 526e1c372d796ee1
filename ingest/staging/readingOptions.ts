// Parses the options on how sources are read: --numbers, --missing, --fill-down and --scale, for all files or for one.

import {
  DATASET_NAMES,
  DIMENSION_NAMES,
  type DimensionName,
  isDimensionName,
  metricNames,
} from '../../src/catalog/datasets.ts';
import type { Manifest } from '../../src/catalog/manifest.ts';
import { UsageError } from '../../src/terminal/usageError.ts';
import { didYouMean } from '../messages/spelling.ts';
import { numberInText } from './cellValues.ts';

/** How numbers are written in text: 1.234,5 in the style `de`, 1,234.5 in the style `en`. */
export type NumberStyle = 'de' | 'en';

/** The options for one file. */
export interface FileOptions {
  /** Null for numbers that are written as in JSON, or in a style that their whole column has. */
  readonly numbers: NumberStyle | null;
  /** Texts that stand for an empty cell, in lower case. */
  readonly missing: ReadonlySet<string>;
  /** Dimensions whose empty cells repeat the cell above. */
  readonly fillDown: ReadonlySet<DimensionName>;
  /** The factor of each metric as it was written, such as `1e6`. */
  readonly scale: ReadonlyMap<string, string>;
}

/** The options of a run: options for all files, and options that replace them for some files. */
export interface ReadingOptions {
  readonly all: FileOptions;
  readonly files: ReadonlyMap<string, Partial<FileOptions>>;
  /** The options as they were given, sorted by name in the order of `OPTIONS`. */
  readonly recorded: RecordedOptions;
}

/** The options as the manifest records them. */
export type RecordedOptions = Manifest['reading'];

/** The name of an option without its dashes: `fill-down`. */
export type OptionName = RecordedOptions[number]['option'];

const NO_FILE_OPTIONS: FileOptions = {
  numbers: null,
  missing: new Set(),
  fillDown: new Set(),
  scale: new Map(),
};

/** The values of each option, in the order in which they were given. */
export type GivenOptions = Partial<Readonly<Record<OptionName, readonly string[]>>>;

/**
 * Parses the options. `de` applies to all files. `ggr.csv=de` applies to this file, and replaces the value for all files.
 * Throws a `UsageError` for an invalid value, and for an option that is given twice for one file.
 */
export function readingOptions(options: GivenOptions): ReadingOptions {
  const all: Writable<FileOptions> = { ...NO_FILE_OPTIONS };
  const files = new Map<string, Writable<Partial<FileOptions>>>();
  const recorded: RecordedOptions = [];
  const seen = new Set<string>();
  for (const option of OPTIONS) {
    for (const text of options[option.name] ?? []) {
      const typed = `--${option.name} ${text}`;
      const { file, value } = splitFile(option.name, text);
      if (value.trim() === '') throw new UsageError(`${typed}: the value is empty; write ${option.form}`);
      for (const key of option.keys(value)) addOnce(seen, option.name, { file, key });
      const target = file === null ? all : (files.get(file) ?? {});
      if (file !== null) files.set(file, target);
      option.put(target, value, typed);
      recordOption(recorded, {
        option: option.name,
        value,
        ...(file === null ? {} : { file }),
        found: false,
      });
    }
  }
  return { all, files, recorded };
}

/** Records an option as it was given. A list in several options is recorded as one list. */
function recordOption(recorded: RecordedOptions, given: RecordedOptions[number]): void {
  const { option, file, value } = given;
  const isList = option === 'missing' || option === 'fill-down';
  const before = isList ? recorded.find((one) => one.option === option && one.file === file) : undefined;
  if (before === undefined) recorded.push(given);
  else before.value = `${before.value},${value}`;
}

/**
 * Throws a `UsageError` when the option was already given for the same file and key. A key is a metric of `--scale`, or
 * `''`.
 */
function addOnce(
  seen: Set<string>,
  option: OptionName,
  { file, key }: { readonly file: string | null; readonly key: string },
): void {
  const name = JSON.stringify([option, file, key]);
  if (seen.has(name)) {
    const where = file === null ? '' : ` for ${file}`;
    throw new UsageError(`--${option}${key === '' ? '' : ` ${key}`} is given twice${where}; give it once`);
  }
  seen.add(name);
}

/** No options, so that every file is read in the default way. */
export const NO_OPTIONS: ReadingOptions = { all: NO_FILE_OPTIONS, files: new Map(), recorded: [] };

/** The options that apply to a file. */
export function optionsFor({ all, files }: ReadingOptions, file: string): FileOptions {
  const ofFile = files.get(file);
  if (ofFile === undefined) return all;
  return { ...all, ...ofFile, scale: new Map([...all.scale, ...(ofFile.scale ?? [])]) };
}

/**
 * The name under which it is recorded that an option changed how a cell of `file` was read. For `scale`, the name includes
 * the metric.
 */
export function effectOf({ files }: ReadingOptions, file: string, option: OptionName, metric = ''): string {
  const ofFile = files.get(file);
  const isOfFile =
    option === 'scale' ? ofFile?.scale?.has(metric) : ofFile?.[FIELD_BY_OPTION[option]] !== undefined;
  return effectName(option, isOfFile === true ? file : undefined, metric);
}

/** Whether a recorded option changed how any cell was read. */
export function hadEffect(
  { option, value, file }: RecordedOptions[number],
  effects: ReadonlySet<string>,
): boolean {
  const metrics = option === 'scale' ? scaledMetrics(value) : [''];
  return metrics.some((metric) => effects.has(effectName(option, file, metric)));
}

const effectName = (option: OptionName, file: string | undefined, metric: string): string =>
  JSON.stringify([option, file ?? null, metric]);

const FIELD_BY_OPTION = {
  numbers: 'numbers',
  missing: 'missing',
  'fill-down': 'fillDown',
  scale: 'scale',
} as const;

/** An option as it is typed on a command line: `--numbers ggr-de.csv=de`. */
export const asTyped = (option: OptionName, value: string, file: string | undefined): string =>
  `--${option} ${quoted(file === undefined ? value : `${file}=${value}`)}`;

/** The text, quoted when a shell would otherwise split or change it. */
const quoted = (text: string): string => (/^[\w.,=/+-]+$/.test(text) ? text : `"${text}"`);

type Writable<T> = { -readonly [K in keyof T]: T[K] };

interface OptionKind {
  readonly name: OptionName;
  /** The form of a value, in words for messages. */
  readonly form: string;
  /**
   * The keys of a value: the metrics of `--scale`, or `''` for an option without parts. Each key may be given once for a
   * file. Lists have no keys. They may be given in several options, because errors propose their values one by one.
   */
  readonly keys: (value: string) => readonly string[];
  readonly put: (target: Writable<Partial<FileOptions>>, value: string, typed: string) => void;
}

const OPTIONS: readonly OptionKind[] = [
  {
    name: 'numbers',
    form: 'de or en',
    keys: () => [''],
    put: (target, value, typed) => {
      if (value !== 'de' && value !== 'en')
        throw new UsageError(`${typed}: write de for 1.234,5 or en for 1,234.5`);
      target.numbers = value;
    },
  },
  {
    name: 'missing',
    form: 'the texts that stand for an empty cell, such as "n/a,–"',
    keys: () => [],
    put: (target, value, typed) => {
      const texts = listItems(value);
      const number = texts.find((text) => numberInText(text) !== undefined);
      if (number !== undefined)
        throw new UsageError(`${typed}: ${number} is a number, and reading it as empty would lose it`);
      target.missing = new Set([...(target.missing ?? []), ...texts.map((text) => text.toLowerCase())]);
    },
  },
  {
    name: 'fill-down',
    form: 'dimensions, such as country,category',
    keys: () => [],
    put: (target, value, typed) => {
      const names = listItems(value).map((text) => text.toLowerCase().replace(/[\s-]+/g, '_'));
      target.fillDown = new Set([
        ...(target.fillDown ?? []),
        ...names.map((name) => {
          if (!isDimensionName(name))
            throw new UsageError(
              `${typed}: ${name} is not a dimension${didYouMean(name, FILLABLE) || `; write some of: ${FILLABLE.join(', ')}`}`,
            );
          if (name === 'state')
            throw new UsageError(`${typed}: an empty state means the country as a whole; fill it in by hand`);
          return name;
        }),
      ]);
    },
  },
  {
    name: 'scale',
    form: 'a metric and its factor, such as ggr=1e6',
    keys: scaledMetrics,
    put: (target, value, typed) => {
      const scale = new Map(target.scale);
      for (const part of listItems(value)) {
        const [metric = '', factor = '', ...rest] = part.split('=').map((piece) => piece.trim());
        if (rest.length > 0 || factor === '')
          throw new UsageError(`${typed}: write a metric and its factor, such as ggr=1e6`);
        if (!METRICS.includes(metric))
          throw new UsageError(
            `${typed}: ${metric} is not a metric${didYouMean(metric, METRICS) || `; write one of: ${METRICS.join(', ')}`}`,
          );
        const number = numberInText(factor);
        if (number === undefined || !Number.isFinite(number) || number <= 0)
          throw new UsageError(`${typed}: ${factor} is not a factor; write a number above zero, such as 1e6`);
        scale.set(metric, factor);
      }
      target.scale = scale;
    },
  },
];

const METRICS: readonly string[] = [...new Set(DATASET_NAMES.flatMap(metricNames))];

const FILLABLE: readonly string[] = DIMENSION_NAMES.filter((name) => name !== 'state');

function listItems(value: string): string[] {
  return value
    .split(',')
    .map((text) => text.trim())
    .filter((text) => text !== '');
}

function scaledMetrics(value: string): string[] {
  return listItems(value).map((part) => part.split('=')[0]?.trim() ?? '');
}

/**
 * Splits a value from the name of its file. `ggr.csv=de` and `ggr.csv=ggr=1e6` name a file. `ggr=1e6` names only a metric.
 */
function splitFile(option: OptionName, text: string): { file: string | null; value: string } {
  const pattern = option === 'scale' ? /^([^=,]+)=([^=,]+=.*)$/s : /^([^=,]+\.\w+)=(.*)$/s;
  const [, file, value] = pattern.exec(text) ?? [];
  return file === undefined || value === undefined ? { file: null, value: text } : { file, value };
}
