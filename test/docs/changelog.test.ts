// The changelog marks breaking changes, and puts them first.

import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { orElse } from '../support/orElse.ts';

const changelog = readFileSync('CHANGELOG.md', 'utf8');

it('CHANGELOG.md has what breaks first in each group', () => {
  for (const group of changelog.split(/^(?=#{2,3} )/m)) {
    const bullets = group.match(/^- .*/gm) ?? [];
    const breaking = bullets.filter((bullet) => bullet.startsWith('- Breaking:'));
    orElse('move the entries that begin with `Breaking:` to the top of their group', () =>
      expect(bullets.slice(0, breaking.length)).toEqual(breaking),
    );
  }
});

it('CHANGELOG.md says that something breaks at the beginning of a bullet, where it is seen', () => {
  const [, ...entries] = changelog.split(/^(?=## )/m);
  const late = entries.flatMap((entry) => entry.match(/^(?!- Breaking:).*Breaking:.*/gm) ?? []);
  orElse('begin the entry with `- Breaking:`, or say it in other words', () => expect(late).toEqual([]));
});
