// Reads the cells of one row as the codes, years and numbers of a staged row, and reports those that cannot be read.

import { datasetOf, type Metric } from '../../src/catalog/datasets.ts';
import type { Severity } from '../messages/problems.ts';
import { didYouMean, headingKey } from '../messages/spelling.ts';
import type { Cell, Footnoted } from '../sources/readers/raw.ts';
import type { KnownValues } from './known.ts';
import { digitsLeft, isBelowThousand, looksGrouped, scaled, styledNumber } from './numberText.ts';
import { isPlaceholder } from './placeholders.ts';
import type { Placement, TextTarget } from './placement.ts';
import { type FileOptions, type NumberStyle, type OptionName, typed } from './readingOptions.ts';
import type { LocatedRow, Remarks } from './remarks.ts';
import type { Survey } from './survey.ts';
import type { Terms } from './terms.ts';
import { isAmount, unitFault } from './units.ts';
import { numberIn, numberInText, unfit, whyNoNumber, yearIn } from './values.ts';

/** Stands in a staged row for a cell that was filled in and could not be read. */
export const FAULTY = -2;

/** What the cells of a table are read with. */
export interface CellContext {
  readonly file: string;
  readonly options: FileOptions;
  /** Null on the first pass, which stops at the first cell that cannot be read without a survey. */
  readonly survey: Survey | null;
  readonly known: KnownValues | null;
  /** Told that an option changed how a cell was read; of `scale`, for which metric. */
  readonly onEffect: (option: OptionName, metric?: string) => void;
}

export class CellReader {
  readonly #placement: Placement;
  readonly #terms: Terms;
  readonly #remarks: Remarks;
  readonly #context: CellContext;
  /** By metric, how many numbers in text there are, and how many look as if a dot separated thousands. */
  readonly #dotted = new Map<string, DottedColumn>();
  #needsSurvey = false;

  constructor(placement: Placement, terms: Terms, remarks: Remarks, context: CellContext) {
    this.#placement = placement;
    this.#terms = terms;
    this.#remarks = remarks;
    this.#context = context;
  }

  /** True when the first pass met a cell that only the whole column can explain; nothing was reported of it. */
  get needsSurvey(): boolean {
    return this.#needsSurvey;
  }

  /** The code of a text, or FAULTY. */
  text(row: LocatedRow, index: number, target: TextTarget, cell: Cell | undefined): number {
    const text = typeof cell === 'string' ? cell : this.#withoutMark(row, index, target, cell);
    if (text === null) return FAULTY;
    const { name, form } = target;
    const term = this.#terms.of(text, form);
    if (term.fault !== null) {
      this.#remarks.error(row, index, `${name} ${term.fault}`);
      return FAULTY;
    }
    if (term.cleaned.length > 0) {
      for (const cleaned of term.cleaned) this.#remarks.note(row, index, `${name} ${cleaned}`);
    }
    return term.code;
  }

  /** The year, or FAULTY. */
  year(row: LocatedRow, index: number, cell: Cell | undefined): number {
    const isMarked = isFootnoted(cell);
    const year = yearIn(isMarked ? cell.value : cell);
    if (year === undefined) {
      this.#remarks.error(row, index, `year ${unfit(cell, 'a whole number from 1000 to 9999')}`);
      return FAULTY;
    }
    if (isMarked) this.#remarks.note(row, index, `year ${MARK_DROPPED}`);
    return year;
  }

  /** The number of a metric, or null when the cell holds none; its sign is checked too. */
  number(row: LocatedRow, index: number, name: string, cell: Cell | undefined): number | null {
    const isMarked = isFootnoted(cell);
    const value = this.#valueOf(row, index, name, isMarked ? cell.value : cell);
    if (value === null) return null;
    if (isMarked) this.#remarks.note(row, index, `${name} ${MARK_DROPPED}`);
    const { sign = 'any' } = datasetOf(this.#placement.dataset).metrics[name] ?? {};
    const rule = SIGNS[sign];
    if (rule?.refuses(value))
      this.#remarks.add(rule.severity, row, index, `${name} is ${value}; ${rule.said}`);
    const factor = this.#context.options.scale.get(name);
    if (factor === undefined) return value;
    this.#context.onEffect('scale', name);
    return scaled(value, factor);
  }

  /** Reports columns in which every number looks as if dots separated thousands. */
  finish(): void {
    for (const [name, { numbers, dotted, row, index, text }] of this.#dotted) {
      if (dotted === 0 || dotted < numbers) continue;
      const { unit = '' } = datasetOf(this.#placement.dataset).metrics[name] ?? {};
      const isError = isAmount(unit) && dotted > 1;
      const options = this.#typed('numbers', 'de');
      this.#remarks.add(isError ? 'error' : 'warning', row, index, {
        problem: `${name} is "${text}"${dotted > 1 ? `, and all ${dotted} numbers like it have three digits after a dot` : ''}: a dot that separates thousands, or decimals`,
        remedy: `write 404021 for the first, or say ${options}; for decimals say ${this.#typed('numbers', 'en')}`,
        kind: `${name}: dots that may separate thousands`,
      });
    }
  }

  #typed(option: OptionName, value: string): string {
    return typed({ option, value, file: this.#context.file, found: false });
  }

  /** The number in a cell without a footnote mark; null after reporting why there is none. */
  #valueOf(row: LocatedRow, index: number, name: string, cell: Cell | undefined): number | null {
    const { options, survey } = this.#context;
    const { unit = '' } = datasetOf(this.#placement.dataset).metrics[name] ?? {};
    const missing = textOfMissing(cell);
    if (missing !== null && options.missing.has(missing)) {
      this.#context.onEffect('missing');
      this.#remarks.note(row, index, `${name} was read as empty where it says "${missing}"`);
      return null;
    }
    const style = typeof cell === 'string' ? this.#styleOf(name) : null;
    const value =
      style !== null && typeof cell === 'string' ? styledNumber(cell, style) : numberIn(cell, unit);
    if (value === undefined) return this.#refuseNumber(row, index, name, cell, style);
    if (typeof cell !== 'string') return this.#refuseUnit(row, index, name, cell) ? null : value;
    if (style !== null && numberInText(cell) !== value)
      this.#remarks.note(row, index, `${name} is written with ${STYLE_WORDS[style]}, and was read so`);
    if (options.numbers !== null && (numberInText(cell) !== value || looksGrouped(cell)))
      this.#context.onEffect('numbers');
    if (style === null) this.#countDotted(row, index, name, cell);
    const left = survey === null || isAmount(unit) ? digitsLeft(cell) : null;
    if (left === null || options.scale.has(name)) return value;
    this.#remarks.add(isAmount(unit) ? 'error' : 'warning', row, index, {
      problem: `${name} is "${cell.trim()}": ${left.shown} digits of a number that has ${left.whole}`,
      remedy: `format the column as a number and save it again; if these are all its digits, say ${this.#typed('scale', `${name}=1`)}`,
      kind: `${name} in scientific notation with digits missing`,
    });
    return isAmount(unit) ? null : value;
  }

  /** Reports a number whose format states a unit, or that a program made of thousands, and says whether it did. */
  #refuseUnit(row: LocatedRow, index: number, name: string, cell: Cell | undefined): boolean {
    const { dataset } = this.#placement;
    const { options, survey, file } = this.#context;
    if (typeof cell === 'object' && cell?.kind === 'united') {
      const fault = unitFault(`in ${cell.unit}`, { dataset, metric: name, options, file });
      if (fault === null) return false;
      const problem = `${name} is ${cell.value}, and its number format shows "${cell.value} ${cell.unit}"`;
      this.#remarks.error(row, index, {
        ...fault,
        problem,
        kind: `${name}: a number format that states a unit`,
      });
      return true;
    }
    if (typeof cell !== 'number' || Number.isInteger(cell) || options.numbers !== null) return false;
    if (!survey?.dotted.has(this.#placement.header.form === 'wide' ? '' : name)) return false;
    this.#remarks.error(row, index, {
      problem: `${name} is the number ${cell}, beside texts with dots between thousands: a program may have taken such a dot for a decimal point`,
      remedy: `export the column again as numbers; if the number is right, say ${this.#typed('numbers', 'de')}`,
      kind: `${name}: numbers beside texts with dots between thousands`,
    });
    return true;
  }

  #refuseNumber(
    row: LocatedRow,
    index: number,
    name: string,
    cell: Cell | undefined,
    style: NumberStyle | null,
  ): null {
    const { options, survey } = this.#context;
    const { unit = '' } = datasetOf(this.#placement.dataset).metrics[name] ?? {};
    if (typeof cell !== 'string') {
      this.#remarks.error(row, index, `${name} ${whyNoNumber(cell, unit)}`);
      return null;
    }
    if (isPlaceholder(cell)) {
      this.#remarks.columnError(row, index, name, cell.trim(), (count, texts) => ({
        problem: `${name} is ${texts.map((text) => `"${text}"`).join(' or ')}${count > 1 ? ` in ${count} cells` : ''}`,
        remedy: `leave the cell empty, or say ${this.#typed('missing', texts.join(','))}`,
        kind: `${name} is a word for no value`,
      }));
      return null;
    }
    if (survey === null && options.numbers === null) {
      this.#needsSurvey = true;
      return null;
    }
    if (style !== null) {
      const said =
        options.numbers === null
          ? 'as the rest of the column is written'
          : `as ${this.#typed('numbers', style)} says`;
      this.#remarks.error(row, index, {
        problem: `${name} is "${cell.trim()}", which is no number ${said}`,
        remedy: `correct it, or leave the option out`,
        kind: `${name} is no number ${said}`,
      });
      return null;
    }
    const isGrouped = styledNumber(cell, 'de') !== undefined || styledNumber(cell, 'en') !== undefined;
    const why = whyNoNumber(cell, unit);
    const [problem = why, remedy] = why.split(/; (.*)/s);
    this.#remarks.error(row, index, {
      problem: `${name} ${problem}`,
      remedy: `${remedy ?? ''}${isGrouped ? `, or say ${this.#typed('numbers', 'de')} (or en)` : ''}`,
      kind: `${name} is no number`,
    });
    return null;
  }

  #styleOf(name: string): NumberStyle | null {
    const { options, survey } = this.#context;
    const column = this.#placement.header.form === 'wide' ? '' : name;
    return options.numbers ?? survey?.numbers.get(column) ?? null;
  }

  #countDotted(row: LocatedRow, index: number, name: string, text: string): void {
    if (isBelowThousand(text)) return;
    const isDotted = looksGrouped(text);
    const seen = this.#dotted.get(name);
    if (seen === undefined)
      this.#dotted.set(name, { numbers: 1, dotted: isDotted ? 1 : 0, row, index, text: text.trim() });
    else {
      seen.numbers += 1;
      if (isDotted) seen.dotted += 1;
    }
  }

  /** The text of a cell without its footnote mark, where what remains is a value already; null after a report. */
  #withoutMark(
    row: LocatedRow,
    index: number,
    { name, form }: TextTarget,
    cell: Cell | undefined,
  ): string | null {
    if (!isFootnoted(cell)) {
      this.#remarks.error(row, index, `${name} ${unfit(cell, 'it as text')}`);
      return null;
    }
    const { known, survey } = this.#context;
    if (known?.has(name, cell.text.trim())) return cell.text;
    const { text } = this.#terms.of(cell.value, form);
    if (known?.has(name, text)) {
      this.#remarks.note(row, index, `${name} ${MARK_DROPPED}`);
      return cell.value;
    }
    if (survey === null) {
      this.#needsSurvey = true;
      return null;
    }
    if (survey.texts.get(name)?.has(text)) {
      this.#remarks.note(row, index, `${name} ${MARK_DROPPED}`);
      return cell.value;
    }
    this.#remarks.error(row, index, {
      problem: `${name} "${cell.text.trim()}" ends in what looks like a footnote mark, and no other row has "${text}"`,
      remedy: `delete the mark ${cell.mark}`,
      kind: `${name} with a footnote mark`,
    });
    return null;
  }

  /** The index of the metric that a wide row holds, or null when it names none that is known. */
  metric(row: LocatedRow): number | null {
    const { metricColumn, metrics, dataset } = this.#placement;
    if (metricColumn < 0) return 0;
    const cell = row.cells[metricColumn];
    const key = typeof cell === 'string' ? headingKey(cell) : '';
    const at = metrics.findIndex((name) => headingKey(name) === key);
    if (at >= 0) return at;
    const said = typeof cell === 'string' ? `"${cell}" is not a metric` : 'metric is empty';
    const hint = didYouMean(String(cell ?? ''), metrics) || `; write one of: ${metrics.join(', ')}`;
    this.#remarks.error(row, metricColumn, `${said} of ${dataset}${hint}`);
    return null;
  }
}

interface SignRule {
  readonly refuses: (value: number) => boolean;
  readonly severity: Severity;
  readonly said: string;
}

/** What a metric's sign refuses, or warns of. */
const SIGNS: Partial<Record<Metric['sign'], SignRule>> = {
  positive: { refuses: (value) => value <= 0, severity: 'error', said: 'it must be above zero' },
  'not negative': { refuses: (value) => value < 0, severity: 'error', said: 'it must not be negative' },
  'usually not negative': {
    refuses: (value) => value < 0,
    severity: 'warning',
    said: 'it is usually not negative',
  },
};

interface DottedColumn {
  numbers: number;
  dotted: number;
  readonly row: LocatedRow;
  readonly index: number;
  readonly text: string;
}

const MARK_DROPPED = 'had its footnote mark dropped';

const STYLE_WORDS: Readonly<Record<NumberStyle, string>> = {
  de: 'decimal commas (1.234,5)',
  en: 'thousands separators (1,234.5)',
};

const isFootnoted = (cell: Cell | undefined): cell is Footnoted =>
  typeof cell === 'object' && cell?.kind === 'footnoted';

/** What `--missing` compares: the text of a cell, or the code of an error cell, in lower case. */
function textOfMissing(cell: Cell | undefined): string | null {
  if (typeof cell === 'string') return cell.trim().toLowerCase();
  return typeof cell === 'object' && cell?.kind === 'error' ? cell.code.toLowerCase() : null;
}
