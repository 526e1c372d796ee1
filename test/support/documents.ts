// Finds the commands and programs in the README and the documents.

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A fenced block of a document: its language, its text, and the number of the line on which the text begins. */
export interface Block {
  readonly document: string;
  readonly line: number;
  readonly language: string;
  readonly text: string;
}

/** The README and every page of docs/. */
export const DOCUMENTS: readonly string[] = [
  'README.md',
  ...readdirSync('docs')
    .filter((file) => file.endsWith('.md'))
    .map((file) => path.join('docs', file)),
];

/** The blocks of a document in one language, in their order. Blocks inside lists are included. */
export function blocksOf(document: string, language: string): readonly Block[] {
  const page = readFileSync(document, 'utf8');
  return [...page.matchAll(/^( *)```(\w*)[^\n]*\n([\s\S]*?)^\1```/gm)]
    .filter(([, , name]) => name === language)
    .map((match) => ({
      document,
      line: page.slice(0, match.index).split('\n').length + 1,
      language,
      text: match[3] ?? '',
    }));
}

/** The commands of a shell block: one a line, unless a backslash at the end continues the command. */
export const commandsOf = ({ text }: Block): readonly string[] =>
  text
    .replaceAll('\\\n', ' ')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
