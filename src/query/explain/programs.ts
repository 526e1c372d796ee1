// Writes complete programs that fetch all pages of a query, one per language.

export interface ProgramRequest {
  /** The endpoint's whole address, without a query. */
  readonly url: string;
  /** Decoded names and values in the order of the request, without `limit` and `cursor`. */
  readonly parameters: readonly (readonly [name: string, value: string])[];
  /** The columns of the result and their types. */
  readonly columns: readonly (readonly [name: string, type: 'text' | 'integer' | 'number'])[];
  /** Rows of /v1/financials hold `dimensions` and `values`. Rows of /v1/reference are flat. */
  readonly isFlat: boolean;
  /** The snapshot whose rows the program fetches; null for the snapshot that is current when the program runs. */
  readonly snapshot: string | null;
  readonly dataset: string;
}

/**
 * A program per language, of at most 25 lines. Each reads the key from the environment variable `API_KEY`. After an
 * answer 429 or 503, it waits for as long as the answer says. Values are quoted, so that none of them can become code.
 */
export const PROGRAMS = { curl, python, polars, r, javascript } as const;

function curl(request: ProgramRequest): string {
  return `#!/usr/bin/env bash
# Writes the pages to ${request.dataset}.jsonl, one a line. curl waits as Retry-After says.
set -euo pipefail
url='${encodedUrl(request)}'
next=''
: > ${request.dataset}.jsonl
while true; do
  page=$(curl -fsS --retry 10 -H "x-api-key: $API_KEY"${request.snapshot === null ? '' : ` -H "x-snapshot: ${request.snapshot}"`} "$url$next")
  printf '%s\\n' "$page" >> ${request.dataset}.jsonl
  cursor=$(printf '%s' "$page" | grep -o '"cursor":"[^"]*"' | tail -n 1 | cut -d '"' -f 4 || true)
  [ -n "$cursor" ] || break
  next="&cursor=$cursor"
done`;
}

/**
 * Casts all metrics to float. Without the cast, pandas gives a column of whole numbers the type integer. It gives an empty
 * column, and one with numbers beyond 64 bits, the type object.
 */
function python({ columns, ...request }: ProgramRequest): string {
  const types = namesOf(columns, 'number').map((name) => `${name}: float`);
  const cast = types.length > 0 ? `.astype({${types.join(', ')}})` : '';
  return `${pythonWalk(request, 'pandas')}

table = pandas.DataFrame(rows, columns=[${namesOf(columns).join(', ')}])${cast}`;
}

function polars(request: ProgramRequest): string {
  const types = { text: 'String', integer: 'Int32', number: 'Float64' };
  const schema = request.columns.map(([name, type]) => `${quoted(name)}: polars.${types[type]}`).join(', ');
  return `${pythonWalk(request, 'polars')}

table = polars.DataFrame(rows, schema={${schema}}, strict=False)`;
}

function pythonWalk(
  { url, parameters, isFlat, snapshot }: Omit<ProgramRequest, 'columns'>,
  library: string,
): string {
  const pairs = [...parameters, PAGE_SIZE].map(([name, value]) => `(${quoted(name)}, ${quoted(value)})`);
  const row = isFlat ? 'page["data"]' : '[{**row["dimensions"], **row["values"]} for row in page["data"]]';
  return `import os, time
import ${library}, requests

query = [${pairs.join(', ')}]
headers = {"x-api-key": os.environ["API_KEY"]${snapshot === null ? '' : `, "x-snapshot": ${quoted(snapshot)}`}}
rows, cursor = [], []
while True:
    answer = requests.get(${quoted(url)}, params=query + cursor, headers=headers)
    if answer.status_code in (429, 503):
        time.sleep(int(answer.headers.get("Retry-After", 5)))
        continue
    answer.raise_for_status()
    page = answer.json()
    rows += ${row}
    if not page["pagination"]["has_more"]:
        break
    cursor = [("cursor", page["pagination"]["cursor"])]`;
}

/**
 * Casts all columns, because jsonlite makes a text column numeric when its only texts are `NA`, `NaN` and `Inf`. A row
 * always has its texts, so a missing value in a text column was the text `NA`.
 */
function r(request: ProgramRequest): string {
  const [texts, numbers] = [namesOf(request.columns, 'text'), namesOf(request.columns, 'number')];
  const numbersToDouble = `
numbers <- c(${numbers.join(', ')})
table[numbers] <- lapply(table[numbers], as.double)`;
  return `library(httr)
library(jsonlite)

url <- "${encodedUrl(request)}"
pages <- list()
cursor <- ""
repeat {
  answer <- RETRY("GET", paste0(url, cursor), add_headers("x-api-key" = Sys.getenv("API_KEY")${request.snapshot === null ? '' : `, "x-snapshot" = "${request.snapshot}"`}),
                  times = 10, terminate_on = c(400, 401, 404))
  stop_for_status(answer)
  page <- fromJSON(content(answer, "text", encoding = "UTF-8"), flatten = TRUE)
  if (length(page$data) > 0) pages <- c(pages, list(page$data))
  if (!page$pagination$has_more) break
  cursor <- paste0("&cursor=", page$pagination$cursor)
}

columns <- c(${namesOf(request.columns).join(', ')})
table <- if (length(pages) > 0) setNames(do.call(rbind, pages), columns) else
  data.frame(matrix(nrow = 0, ncol = length(columns), dimnames = list(NULL, columns)))
texts <- c(${texts.join(', ')})
table[texts] <- lapply(table[texts], function(text) ifelse(is.na(text <- as.character(text)), "NA", text))${numbers.length > 0 ? numbersToDouble : ''}`;
}

function javascript({ url, parameters, isFlat, snapshot }: ProgramRequest): string {
  const pairs = [...parameters, PAGE_SIZE].map(([name, value]) => `[${quoted(name)}, ${quoted(value)}]`);
  const row = isFlat ? 'page.data' : 'page.data.map((row) => ({ ...row.dimensions, ...row.values }))';
  return `const query = new URLSearchParams([${pairs.join(', ')}]);
const rows = [];
for (;;) {
  const answer = await fetch(\`${url}?\${query}\`, { headers: { 'x-api-key': process.env.API_KEY${snapshot === null ? '' : `, 'x-snapshot': '${snapshot}'`} } });
  if (answer.status === 429 || answer.status === 503) {
    await new Promise((resolve) => setTimeout(resolve, 1000 * Number(answer.headers.get('Retry-After') ?? 5)));
    continue;
  }
  if (!answer.ok) throw new Error((await answer.json()).error);
  const page = await answer.json();
  rows.push(...${row});
  if (!page.pagination.has_more) break;
  query.set('cursor', page.pagination.cursor);
}`;
}

const PAGE_SIZE = ['limit', '1000'] as const;

/** The names of all columns, or of those of one type, as literals. */
const namesOf = (columns: ProgramRequest['columns'], wanted?: 'text' | 'number'): string[] =>
  columns.filter(([, type]) => wanted === undefined || type === wanted).map(([name]) => quoted(name));

/**
 * The address with its query in ASCII, without quotes, backslashes, dollar signs and white space, so that it needs no
 * escaping inside the quotes of any language.
 */
const encodedUrl = ({ url, parameters }: ProgramRequest): string =>
  `${url}?${[...parameters, PAGE_SIZE].map((pair) => pair.map(encoded).join('=')).join('&')}`;

const encoded = (text: string): string =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/**
 * A string literal for JavaScript and Python. JSON escapes quotes, backslashes and control characters, and both
 * languages understand these escapes.
 */
const quoted = (text: string): string => JSON.stringify(text);
