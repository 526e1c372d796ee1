// Every endpoint as data, in the order of the documentation. The OpenAPI document and the pages are made from it.

import { FIGURES } from './figures.ts';
import { FILES } from './files.ts';
import { METADATA } from './metadata.ts';
import type { Operation } from './operation.ts';
import { ROWS } from './rows.ts';
import { SERVICE } from './service.ts';

export const OPERATIONS: readonly Operation[] = [...ROWS, ...FIGURES, ...METADATA, ...FILES, ...SERVICE];
