// Colours text on a terminal, unless NO_COLOR is set (https://no-color.org).

export type Paint = (text: string) => string;

export interface Style {
  readonly bold: Paint;
  readonly dim: Paint;
  readonly red: Paint;
  readonly yellow: Paint;
  readonly green: Paint;
}

const unstyled: Paint = (text) => text;

/** The style without colours, for files, pipes and tests. */
export const PLAIN: Style = {
  bold: unstyled,
  dim: unstyled,
  red: unstyled,
  yellow: unstyled,
  green: unstyled,
};

/** Returns a function that puts ANSI escape sequences around a text. */
const ansi =
  (code: number): Paint =>
  (text) =>
    `\u001b[${code}m${text}\u001b[0m`;

const COLOURED: Style = {
  bold: ansi(1),
  dim: ansi(2),
  red: ansi(31),
  yellow: ansi(33),
  green: ansi(32),
};

/** The style for a stream: colours on a terminal, unless `TERM` is `dumb`, or `NO_COLOR` is set and not empty. */
export function styleFor(
  { isTTY }: { readonly isTTY?: boolean },
  { NO_COLOR = '', TERM = '' }: Readonly<Record<string, string | undefined>>,
): Style {
  return isTTY === true && NO_COLOR === '' && TERM !== 'dumb' ? COLOURED : PLAIN;
}
