// Prints Malta's gross gaming revenue by year, then counts the rows behind it. Run it with `API_KEY=… npm run example`.

import { DataApiError, gamblingData, rows } from '../src/index.ts';

const say = (line: string) => process.stdout.write(`${line}\n`);

const api = gamblingData({
  url: process.env.API_URL ?? 'http://127.0.0.1:3000',
  key: process.env.API_KEY ?? '',
});

const { data, error, response } = await api.GET('/v1/totals', {
  params: { query: { dataset: 'ggr', by: ['year'], country: ['Malta'], fx: ['EUR'], temporal: ['Current'] } },
});
if (data === undefined) throw new DataApiError(error, response);
say(`ggr of Malta in EUR, snapshot ${response.headers.get('x-snapshot')}`);
for (const { dimensions, values } of data.data)
  say(`${dimensions.year}  ${values.ggr?.toLocaleString('en')}`);

let count = 0;
let online = 0;
for await (const { dimensions, values } of rows(api, {
  metric: 'ggr',
  country: ['Malta'],
  fx: ['EUR'],
  temporal: ['Current'],
})) {
  count += 1;
  if (dimensions.channel === 'Online') online += values.ggr ?? 0;
}
say(`made of ${count} rows`);
say(`online, all years: ${online.toLocaleString('en')}`);
