// A fault as data: place, problem and remedy. This file joins them into one line.
//
// On terminals, commands/output/printedProblems.ts and commands/inspectFile.ts print the remedy on lines of its own.

import { printable } from '../../src/text/printable.ts';
import { type Place, placeText, wholeFile } from './place.ts';

/** A problem and its remedy, without the place. */
export interface Diagnostic {
  /** The problem: `country "Maltta" is not in country_reference`. */
  readonly problem: string;
  /** The remedy: `correct the name, or add the country`; null when nothing needs to be done. */
  readonly remedy: string | null;
  /**
   * The heading for a group of such problems: `a country is not in country_reference`. Without it, only problems with the
   * same text are grouped. Code compares it with other kinds only, never with a text.
   */
  readonly kind?: string;
  /** How many cells the problem stands for, when they are counted as one problem. */
  readonly cells?: number;
  /** The country of the problem; null or undefined when it is about several countries or none. */
  readonly country?: string | null;
}

export interface Fault extends Diagnostic {
  readonly place: Place;
}

/**
 * The problem and its remedy on one line: `year is empty; fill it in or delete the row`. Control characters are escaped.
 */
export const messageOf = ({ problem, remedy }: Diagnostic): string =>
  printable(remedy === null ? problem : `${problem}; ${remedy}`);

/** The message with its place: `ggr.xlsx › Data!C41: year is empty; fill it in or delete the row`. */
export const faultText = (fault: Fault): string => `${placeText(fault.place)}: ${messageOf(fault)}`;

/** A file that cannot be read, or is over a limit (exit code 3). */
export class UnreadableError extends Error {
  readonly fault: Fault;

  constructor(fault: Fault) {
    super(faultText(fault));
    this.name = 'UnreadableError';
    this.fault = fault;
  }
}

/** The error for a whole file. `kind` is needed when the problem differs from file to file. */
export const unreadableFile = (file: string, problem: string, remedy: string, kind?: string) =>
  new UnreadableError({ place: wholeFile(file), problem, remedy, ...(kind !== undefined && { kind }) });
