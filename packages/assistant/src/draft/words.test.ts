import { expect, it } from 'vitest';
import { stemsOf } from './words.ts';

it.each([
  ['Summarize the documents', 'summaris fil'],
  ['a summary of each website', 'summaris pag'],
  ['filtered rows, filtering rows', 'filter row filter row'],
  ['ChatInput', 'chat input'],
  ['a flow with an agent that answers questions', 'agent answer messag'],
  ['a b 1 2', ''],
])('the stems of "%s" are: %s', (text, stems) => expect(stemsOf(text).join(' ')).toBe(stems));
