// Makes the header `X-Meta`: the metadata of an answer, for formats that cannot hold metadata, such as CSV.

/**
 * The value of `X-Meta`: a JSON object in ASCII, with `\u` escapes for other characters.
 *
 * Some proxies refuse heads of more than 4 KiB, so the longest members are left out until the text is short enough. The
 * member `left_out` names them. A client that needs them has to ask for JSON.
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
