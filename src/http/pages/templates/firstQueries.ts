// The first query of a new key, in four languages: complete programs with the key in place, and what they need.

export interface FirstQuery {
  readonly language: string;
  readonly program: string;
}

/** `address` is the service's, without a slash at the end. Keys and addresses hold no character that needs quoting. */
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
