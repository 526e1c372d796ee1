// Rewrites the schemas of the OpenAPI document so that generators of clients make the right types from them.

/** The largest integers that the formats of OpenAPI hold. */
const MAX_INT32 = 2 ** 31 - 1;
const MAX_INT64 = Number.MAX_SAFE_INTEGER;

/**
 * The same document, with schemas in forms that generators of clients understand:
 * - `format: double` for numbers. Without it, Go gets `float32`, which rounds a revenue of ten digits.
 * - `format: int32` or `int64` for integers. Without it, Java gets 32 bits. Bounds that equal those of the format are
 *   left out.
 * - `type: ["object", "null"]` instead of `anyOf` with `null`. From `anyOf`, Java gets classes that do not compile.
 * - no `additionalProperties: false`. Answers may get more fields, and a strict client would refuse them.
 *
 * Examples are left as they are.
 */
export function withPortableSchemas(document: object): object {
  return Object.fromEntries(
    Object.entries(document).map(([name, value]) => [name, EXAMPLES.has(name) ? value : portable(value)]),
  );
}

const EXAMPLES: ReadonlySet<string> = new Set(['example', 'examples']);

function portable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(portable);
  if (typeof value !== 'object' || value === null) return value;
  return withFormat(withoutUnion(withMoreFields(withPortableSchemas(value))));
}

interface Schema {
  readonly type?: unknown;
  readonly format?: unknown;
  readonly minimum?: unknown;
  readonly maximum?: unknown;
  readonly anyOf?: unknown;
  readonly additionalProperties?: unknown;
}

function withMoreFields({ additionalProperties, ...rest }: Schema): Schema {
  return additionalProperties === undefined || additionalProperties === false
    ? rest
    : { ...rest, additionalProperties };
}

/** Turns a union of one type and null into a list of two types. */
function withoutUnion({ anyOf, ...rest }: Schema): Schema {
  if (!Array.isArray(anyOf)) return anyOf === undefined ? rest : { anyOf, ...rest };
  const others = (anyOf as Schema[]).filter(({ type }) => type !== 'null');
  const [only] = others;
  if (others.length !== 1 || anyOf.length !== 2 || typeof only?.type !== 'string') return { anyOf, ...rest };
  return { ...only, type: [only.type, 'null'], ...rest };
}

function withFormat(schema: Schema): Schema {
  const { type, format } = schema;
  if (format !== undefined) return schema;
  const types = [type].flat();
  if (types.includes('number')) return { ...schema, format: 'double' };
  if (!types.includes('integer')) return schema;
  const { minimum, maximum, ...rest } = schema;
  const isShort = typeof maximum === 'number' && maximum <= MAX_INT32;
  return {
    ...rest,
    format: isShort ? 'int32' : 'int64',
    ...(isBound(minimum) && { minimum }),
    ...(isBound(maximum) && { maximum }),
  };
}

/** Whether a minimum or maximum differs from the bounds of the integer formats. */
const isBound = (bound: unknown): boolean =>
  typeof bound === 'number' && ![MAX_INT32, MAX_INT64].includes(Math.abs(bound)) && bound !== -(2 ** 31);
