// Complete programs for the first query with a new key, in several languages.

export interface FirstQuery {
  readonly language: string;
  readonly program: string;
}

/**
 * The programs. They contain the key and the address, which have no character that needs to be quoted.
 *
 * @param address the address of the service, without a slash at the end.
 */
export function firstQueries(address: string, key: string): readonly FirstQuery[] {
  const url = `${address}/v1/financials?metric=ggr&limit=5`;
  return [
    { language: 'curl', program: `curl -H "x-api-key: ${key}" "${url}"` },
    {
      language: 'Python',
      program: `# pip install pandas requests
import pandas, requests

answer = requests.get("${url}", headers={"x-api-key": "${key}"})
print(pandas.json_normalize(answer.json()["data"]))`,
    },
    {
      language: 'R',
      program: `# install.packages(c("httr", "jsonlite"))
library(httr)
library(jsonlite)

answer <- GET("${url}", add_headers("x-api-key" = "${key}"))
print(fromJSON(content(answer, "text", encoding = "UTF-8"), flatten = TRUE)$data)`,
    },
    {
      language: 'JavaScript',
      program: `const answer = await fetch("${url}", { headers: { "x-api-key": "${key}" } });
const { data } = await answer.json();
console.table(data.map(({ dimensions, values }) => ({ ...dimensions, ...values })));`,
    },
  ];
}
