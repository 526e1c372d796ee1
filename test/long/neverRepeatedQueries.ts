// Queries without repetitions, `neverRepeated(n)`, and the rows that they are about.

/** The nth of the queries, which all differ. Half of them are pages, a quarter values and a quarter totals. */
export function neverRepeated(n: number): string {
  const pick = (values: number, step: number) => Math.floor(n / step) % values;
  const countries = `country=Country%20${pick(97, 1)}&country=Country%20${pick(89, 3)}`;
  const filters = `${countries}&year=${2000 + pick(20, 7)}&year=${2000 + pick(17, 11)}&year=${3000 + n}`;
  if (n % 4 === 2) return `/v1/values?dataset=ggr&${filters}`;
  if (n % 4 === 3) return `/v1/totals?dataset=ggr&by=year&by=country&fx=USD&${filters}`;
  return `/v1/financials?metric=ggr&limit=${50 + pick(150, 13)}&${filters}`;
}

/** The dataset of these queries, with 24,000 rows: 100 countries, 20 years, 12 products. */
export const NEVER_REPEATED_ROWS = `
  SELECT 2000 + year AS year, 'Region' AS region, 'Country ' || country AS country, '' AS state,
    'Category' AS category, 'Product ' || product AS product, 'Online' AS channel, 'Onshore' AS sub_channel,
    'USD' AS fx, 'Current' AS temporal, country * 1000 + product + year / 100 AS ggr
  FROM range(20) AS years(year), range(100) AS countries(country), range(12) AS products(product)`;
