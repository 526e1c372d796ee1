// The Python package asks a server, where this machine's python3 has httpx. test/long runs the package's own tests.

import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';
import { startServerWithKeys } from '../support/serverWithKeys.ts';

const run = promisify(execFile);

const PROGRAM = `
import json, os, tempfile
from gambling_data import Client, InvalidQuery
client = Client.from_env(cache=False)
with tempfile.TemporaryDirectory() as folder:
    lines = client.export("ggr", os.path.join(folder, "ggr.csv")).read_text().splitlines()
try:
    client.values("poker")
    refusal = None
except InvalidQuery as error:
    refusal = error.problem
class Whole:
    def __index__(self):
        return 2024

def complaint(**filters):
    try:
        return len(client.values("ggr", dimension=[], **filters))
    except (TypeError, ValueError) as error:
        return str(error)

complaints = [complaint(country=[]), complaint(country=b"Malta"), complaint(years=2024.5), complaint(years=Whole())]
print(json.dumps([client.values("ggr", dimension="country"), len(lines), refusal, complaints]))
`;

import { notTried } from '../support/notTried.ts';

it('the Python package lists values, downloads a file and passes refusals on', async () => {
  const missing = await run('python3', ['-c', 'import sys, httpx; assert sys.version_info >= (3, 10)']).then(
    () => null,
    ({ message }: Error) => message.trim().split('\n').at(-1) ?? '',
  );
  if (missing !== null) {
    notTried(`python3 cannot run the package: ${missing}`);
    return;
  }
  const api = await startServerWithKeys();
  try {
    const env = {
      ...process.env,
      PYTHONPATH: path.resolve('clients/python/src'),
      PYTHONDONTWRITEBYTECODE: '1',
      GAMBLING_DATA_URL: api.url,
      GAMBLING_DATA_KEY: await api.key(),
    };
    const { stdout } = await run('python3', ['-c', PROGRAM], { env });
    const [values, lines, refusal, complaints] = JSON.parse(stdout);
    expect(Object.keys(values.country)).toEqual(['Malta']);
    expect([lines, refusal]).toEqual([
      2,
      "Unknown dataset: 'poker'. Use GET /catalog to see available datasets",
    ]);
    // A filter without values would be left out, and the answer would have all rows.
    expect(complaints).toEqual([
      'country=[]: name at least one value, or leave the filter out to select all',
      "country=b'Malta': use a text, a whole number, or several of them",
      'year=2024.5: use a text, a whole number, or several of them',
      10,
    ]);
  } finally {
    await api.close();
  }
});
