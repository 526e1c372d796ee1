// The examples in the READMEs about checks and detectors can be pasted: each file exports the names that they import.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import { orElse } from '../support/orElse.ts';

/** For each README, the folder in which its example is written. */
const FOLDERS = {
  'ingest/checks/README.md': 'ingest/checks',
  'ingest/compare/README.md': 'ingest/compare/patterns',
};

const IMPORT = /import (?:type )?\{([^}]+)\} from '(\.[^']+)'/g;

it.each(Object.entries(FOLDERS))('the example of %s imports what the files export', (readme, folder) => {
  const imports = [...readFileSync(readme, 'utf8').matchAll(IMPORT)].flatMap(([, names = '', file = '']) =>
    names
      .split(',')
      .map((name) => ({ name: name.replace(/\btype\b/, '').trim(), file: path.join(folder, file) })),
  );
  expect(imports.length).toBeGreaterThan(3);
  const wrong = imports.filter(
    ({ name, file }) =>
      !readFileSync(file, 'utf8').match(
        `export (?:async )?(?:const|function|interface|type|class) ${name}\\b`,
      ),
  );
  orElse(`correct the imports of the example in ${readme}`, () => expect(wrong).toEqual([]));
});
