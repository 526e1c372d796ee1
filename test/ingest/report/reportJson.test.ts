// The report as JSON that people can read.

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { reportJson } from '../../../ingest/report/reportJson.ts';

describe('reportJson', () => {
  it('is JSON of the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.stringify(JSON.parse(reportJson(value)))).toBe(JSON.stringify(value));
      }),
    );
  });

  it('gives a line to what fits, and one to a list of numbers', () => {
    const things = Array.from({ length: 12 }, (_, i) => ({
      name: `thing ${i}`,
      of: { a: 'x'.repeat(30), b: null },
    }));
    const lines = reportJson({ things, years: Array.from({ length: 300 }, (_, i) => i) }).split('\n');
    expect(lines).toHaveLength(things.length + 6);
    expect(lines[2]).toBe(`  {"name": "thing 0", "of": {"a": "${'x'.repeat(30)}", "b": null}},`);
  });
});
