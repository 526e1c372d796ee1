// Reads the values of metrics: the number in each cell. `numberFaults.ts` reports cells without a usable number.

import { metricUnit } from '../../../src/catalog/datasets.ts';
import { looksGrouped, vanishes } from '../../sources/numberForms.ts';
import { isKind } from '../../sources/readers/rawFile.ts';
import { DottedColumns } from '../../sources/suspectColumns.ts';
import { MARK_DROPPED, numberIn, numberInText } from '../cellValues.ts';
import type { NumberStyle } from '../readingOptions.ts';
import type { MetricCell, TableContext } from '../tableContext.ts';
import { LostDigits } from './lostDigits.ts';
import { MisleadingFormats } from './misleadingFormats.ts';
import {
  refuseErrorNumber,
  refuseMisread,
  refuseNonText,
  refusePlaceholder,
  refuseText,
  reportDots,
  textOfMissing,
} from './numberFaults.ts';
import { styledNumber, withAccountingSigns } from './numberText.ts';
import { isPlaceholder } from './placeholders.ts';
import { ScaleOption } from './scaleOption.ts';
import { signRule } from './signRules.ts';

interface NumberInText {
  readonly text: string;
  readonly value: number;
  /** The style in which the text was read; null if it was read as in JSON. */
  readonly style: NumberStyle | null;
}

/** Reads the numbers of one table. It reports the cells that it cannot read. */
export class NumberCells {
  readonly #table: TableContext;
  readonly #misleadingFormats: MisleadingFormats;
  readonly #dottedColumns = new DottedColumns<string, MetricCell>();
  readonly #lostDigits: LostDigits;
  readonly #scale: ScaleOption;

  constructor(table: TableContext) {
    this.#table = table;
    this.#misleadingFormats = new MisleadingFormats(table);
    this.#lostDigits = new LostDigits(table);
    this.#scale = new ScaleOption(table);
  }

  /**
   * The value of a metric, multiplied by `--scale`. It checks the sign, too. It reports a cell without a value, and gives
   * null.
   */
  number(at: MetricCell): number | null {
    const { name, cell } = at;
    const isMarked = isKind(cell, 'footnoted');
    const value = this.#valueOf(isMarked ? { ...at, cell: cell.value } : at);
    if (value === null) return null;
    if (isMarked) this.#table.remarks.note(at, `${name} ${MARK_DROPPED}`);
    if (typeof cell === 'object' && cell !== null) this.#misleadingFormats.warn(at, cell, value);
    const rule = signRule(this.#table.mapping.dataset, name);
    if (rule?.reports(value)) {
      if (refuseErrorNumber(this.#table, at, value)) return null;
      this.#table.remarks.add(rule.severity, at, {
        problem: `${name} is ${value}`,
        remedy: rule.remedy,
        kind: `${name} ${rule.kind}`,
      });
    }
    return this.#scale.apply(at, value);
  }

  /** Reports faults that only all figures of a metric show: dots between thousands, lost digits, units of some figures. */
  finish(): void {
    for (const suspect of this.#dottedColumns.suspects())
      if (!this.#table.ungroupedMetrics.has(suspect.column)) reportDots(this.#table, suspect);
    this.#lostDigits.finish();
    this.#scale.finish();
  }

  /** The number in a cell without a footnote mark. It reports a cell without a number, and gives null. */
  #valueOf(at: MetricCell): number | null {
    const { name, cell } = at;
    const { options } = this.#table;
    const unit = metricUnit(this.#table.mapping.dataset, name);
    const missing = textOfMissing(cell);
    if (missing !== null && options.missing.has(missing)) {
      this.#table.onEffect('missing');
      this.#table.remarks.note(at, `${name} was read as empty where it says "${missing}"`);
      return null;
    }
    const style = typeof cell === 'string' ? this.#styleOf(name) : null;
    const value =
      style !== null && typeof cell === 'string' ? this.#styled(cell, style) : numberIn(cell, unit);
    if (value === undefined) return this.#refuse(at, style);
    if (!Number.isFinite(value)) {
      this.#table.remarks.error(at, {
        problem: `${name} is beyond the largest number`,
        remedy: 'correct the figure, or leave the cell empty',
      });
      return null;
    }
    if (typeof cell === 'string' && vanishes(cell, value)) {
      this.#table.remarks.error(at, {
        problem: `${name} is closer to 0 than the smallest number`,
        remedy: 'correct the figure, or leave the cell empty',
      });
      return null;
    }
    if (typeof cell === 'string') return this.#acceptText(at, { text: cell, value, style });
    return refuseMisread(this.#table, at) ? null : value;
  }

  /**
   * Adds remarks on how a text writes a number, and gives the number. It reports a number that lacks digits, and gives
   * null.
   */
  #acceptText(at: MetricCell, { text, value, style }: NumberInText): number | null {
    const { name } = at;
    const { options } = this.#table;
    if (style !== null && numberInText(text) !== value)
      this.#table.remarks.note(at, `${name} is written with ${wordsOf(style, text, value)}, and was read so`);
    if (options.numbers !== null && (numberInText(text) !== value || looksGrouped(text)))
      this.#table.onEffect('numbers');
    if (style === null) this.#dottedColumns.add(name, text, at);
    return this.#lostDigits.accept(at, { text, value });
  }

  /**
   * Reports a cell that holds no number. If a survey of the column may explain the cell, it requests the survey instead.
   */
  #refuse(at: MetricCell, style: NumberStyle | null): null {
    const { cell } = at;
    if (typeof cell !== 'string') refuseNonText(this.#table, at);
    else if (isPlaceholder(cell)) refusePlaceholder(this.#table, at, cell);
    else if (this.#canSurvey) this.#table.needsSurvey = true;
    else refuseText(this.#table, at, cell, style);
    return null;
  }

  /** Whether a survey may still find the style of the column's numbers. */
  get #canSurvey(): boolean {
    return this.#table.survey === null && this.#table.options.numbers === null;
  }

  /** The number in a text that is written in a style. Accounting signs are read only where `--numbers` gives the style. */
  #styled(text: string, style: NumberStyle): number | undefined {
    const { options } = this.#table;
    return styledNumber(options.numbers === null ? text : withAccountingSigns(text), style);
  }

  #styleOf(name: string): NumberStyle | null {
    const { options, survey } = this.#table;
    const column = this.#table.mapping.header.form === 'wide' ? '' : name;
    return options.numbers ?? survey?.styleByMetric.get(column) ?? null;
  }
}

const STYLE_WORDS: Readonly<Record<NumberStyle, string>> = {
  de: 'decimal commas (1.234,5)',
  en: 'thousands separators (1,234.5)',
};

/** The difference between a number in a style and a number in JSON, in words. */
const wordsOf = (style: NumberStyle, text: string, value: number): string =>
  numberInText(text.replace('\u2212', '-')) === value ? 'the minus sign −' : STYLE_WORDS[style];
