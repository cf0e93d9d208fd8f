import { expect, it } from 'vitest';
import { stemsOf } from './words.ts';

it.each([
  ['Summarize the documents', 'summaris file'],
  ['a summary of each website', 'summaris page'],
  ['filtered rows, filtering rows', 'filter row filter row'],
  ['ChatInput', 'chat input'],
  ['a flow with an agent that answers questions', 'agent answer message'],
  ['a b 1 2', ''],
])('the stems of "%s" are: %s', (text, stems) => expect(stemsOf(text).join(' ')).toBe(stems));
