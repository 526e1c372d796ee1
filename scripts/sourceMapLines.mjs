// Makes the source map of a bundle smaller: keeps the lines of our own modules, and drops columns and packages.

/**
 * Keeps the mappings of our own modules at the beginning of each line of the bundle, and wherever another line of a
 * module begins within a line.
 *
 * Node turns a whole map into objects when it writes the first stack trace. That takes 20 ms for the lines, and 170 ms
 * for everything.
 */
export function linesOfOwnModules(text) {
  const { sources, mappings } = JSON.parse(text);
  const own = sources.filter((source) => !source.includes('node_modules/'));
  const kept = sources.map((source) => own.indexOf(source));
  return JSON.stringify({
    version: 3,
    sources: own,
    names: [],
    mappings: keptMappings(`${mappings};`, kept),
  });
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const VALUES = new Int8Array(128).fill(-1);
for (const [value, digit] of [...DIGITS].entries()) VALUES[digit.charCodeAt(0)] = value;

/**
 * Drops mappings from the field `mappings` of a map.
 *
 * In this field, `;` ends a line of the bundle, and `,` separates its segments. A segment has four or five numbers: the
 * column in the bundle, the source, the line and the column in the source, and a name. Each number is written as the
 * difference from the same number of the segment before.
 *
 * @param kept the new number of each source, or -1 for a source that is dropped.
 */
function keptMappings(mappings, kept) {
  const read = [0, 0, 0, 0, 0];
  const written = [0, 0, 0, 0];
  let result = '';
  let segments = '';
  let line = -1;
  let field = 0;
  let number = 0;
  let shift = 0;
  for (let i = 0; i < mappings.length; i++) {
    const value = VALUES[mappings.charCodeAt(i)];
    if (value >= 0) {
      number |= (value & 31) << shift;
      shift += 5;
      if (value >= 32) continue;
      read[field++] += signed(number);
      number = shift = 0;
      continue;
    }
    if (field > 0 && kept[read[1]] >= 0 && read[2] !== line) {
      line = read[2];
      if (segments !== '') segments += ',';
      for (const [place, value] of [read[0], kept[read[1]], line, read[3]].entries()) {
        segments += encoded(value - written[place]);
        written[place] = value;
      }
    }
    field = 0;
    if (mappings.charCodeAt(i) !== SEMICOLON) continue;
    result += `${segments};`;
    segments = '';
    line = -1;
    read[0] = written[0] = 0;
  }
  return result;
}

const SEMICOLON = ';'.charCodeAt(0);

/** Decodes a number whose lowest bit is the sign. */
const signed = (number) => (number & 1 ? -(number >> 1) : number >> 1);

/** Encodes a number: five bits in each digit, the lowest bits first. The sixth bit says that more digits follow. */
function encoded(difference) {
  let rest = difference < 0 ? (-difference << 1) | 1 : difference << 1;
  let digits = '';
  for (; rest >= 32; rest >>>= 5) digits += DIGITS[(rest & 31) | 32];
  return digits + DIGITS[rest];
}
