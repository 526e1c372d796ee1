// Superscript footnote marks are separated from the text.

import { expect, it } from '@jest/globals';
import { isStruckOut, textOfRuns, textOrFootnoted } from '../../../../ingest/sources/readers/footnotes.ts';

const run = (text: string, raised = false, struck = false) => ({ text, raised, struck });

it('marks are separated from the text, however many there are', () => {
  expect(textOrFootnoted('4012360')).toBe('4012360');
  expect(textOrFootnoted('4012360²')).toEqual({
    kind: 'footnoted',
    value: '4012360',
    mark: '2',
    text: '4012360²',
  });
  expect(textOrFootnoted('¹Malta² and Gozo³')).toEqual({
    kind: 'footnoted',
    value: 'Malta and Gozo',
    mark: '123',
    text: '¹Malta² and Gozo³',
  });
  expect(textOfRuns([run('40'), run('2', true), run('60'), run('3', true)])).toMatchObject({
    value: '4060',
    mark: '23',
  });
});

it('a text that is raised or struck out as a whole is plain, but for one or two raised digits', () => {
  expect(textOfRuns([run('Malta', true)])).toBe('Malta');
  expect(textOfRuns([run('12', true)])).toBe('¹²');
  expect(textOfRuns([run('123', true)])).toBe('123');
  expect(textOfRuns([run('12', false, true)])).toBe('12');
  expect(textOfRuns([run('5'), run(' ', true)])).toBe('5 ');
});

it('white space beside a text that is struck out does not count', () => {
  expect(isStruckOut([run('5', false, true), run(' ')])).toBe(true);
  expect(isStruckOut([run('5', false, true), run('6')])).toBe(false);
  expect(isStruckOut([run(' ')])).toBe(false);
});
