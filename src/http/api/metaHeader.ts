// `X-Meta`: what an answer says about its rows besides them, for formats that have no place for it, such as CSV.

/**
 * The value of `X-Meta`: one JSON object in ASCII (RFC 8259). Other characters are written as `\u` escapes.
 *
 * Proxies refuse heads of more than 4 KiB, so the longest members are left out where the text is too long. `left_out`
 * then names them: a client that needs them asks for JSON.
 */
export function metaHeader(facts: object): string {
  const members = Object.entries(facts);
  const leftOut: string[] = [];
  const asText = () =>
    asciiJson(Object.fromEntries(leftOut.length > 0 ? [...members, ['left_out', leftOut]] : members));
  while (asText().length > MAX_CHARACTERS && members.length > 0) {
    const lengths = members.map((member) => asciiJson(member).length);
    const [longest] = members.splice(lengths.indexOf(Math.max(...lengths)), 1);
    if (longest !== undefined) leftOut.push(longest[0]);
  }
  return asText();
}

const MAX_CHARACTERS = 2048;

const asciiJson = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[^ -~]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
