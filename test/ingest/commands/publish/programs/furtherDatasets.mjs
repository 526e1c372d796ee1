// Preloaded into a program that runs compiled modules: adds the entries of the text FURTHER_DATASETS to `DATASETS`.

import { register } from 'node:module';

// Node loads this file twice: first as a module of the program, then with `?hooks` for the function `load`.
if (!import.meta.url.endsWith('?hooks')) register(`${import.meta.url}?hooks`);

export async function load(url, context, next) {
  const loaded = await next(url, context);
  if (!url.endsWith('/dist/src/catalog/datasets.js')) return loaded;
  const begin = 'export const DATASETS = {';
  return {
    ...loaded,
    source: String(loaded.source).replace(begin, () => begin + process.env.FURTHER_DATASETS),
  };
}
