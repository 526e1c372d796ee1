// Colours for output on a terminal, unless NO_COLOR is set (https://no-color.org).

export type Paint = (text: string) => string;

export interface Style {
  readonly bold: Paint;
  readonly dim: Paint;
  readonly red: Paint;
  readonly yellow: Paint;
  readonly green: Paint;
}

const same: Paint = (text) => text;

/** No colours: for files, pipes and tests. */
export const PLAIN: Style = { bold: same, dim: same, red: same, yellow: same, green: same };

const painted =
  (code: number): Paint =>
  (text) =>
    `\u001b[${code}m${text}\u001b[0m`;

const COLOURED: Style = {
  bold: painted(1),
  dim: painted(2),
  red: painted(31),
  yellow: painted(33),
  green: painted(32),
};

/** The style for a stream. `NO_COLOR` counts when it is set and not empty. */
export function styleFor(
  { isTTY }: { readonly isTTY?: boolean },
  { NO_COLOR = '', TERM = '' }: Readonly<Record<string, string | undefined>>,
): Style {
  return isTTY === true && NO_COLOR === '' && TERM !== 'dumb' ? COLOURED : PLAIN;
}
