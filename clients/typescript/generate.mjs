// Writes src/schema.ts, the types of every path, parameter and answer, from docs/openapi.json.

import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import openapiTS, { astToString } from 'openapi-typescript';

const document = readFileSync(new URL('../../docs/openapi.json', import.meta.url));
const types = astToString(await openapiTS(JSON.parse(document.toString())));
const digest = createHash('sha256').update(document).digest('hex');
writeFileSync(
  new URL('src/schema.ts', import.meta.url),
  `// Made by \`npm run generate\` from docs/openapi.json with SHA-256 ${digest}; do not edit.\n\n${types}`,
);
