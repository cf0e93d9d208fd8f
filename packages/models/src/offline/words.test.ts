import { expect, it } from 'vitest';
import { isVerb, mayAct, meaningOf, wordsOf } from './words.ts';

it('splits names and sentences into words in lower case', () => {
  expect(wordsOf('find_files readFile Box2Go')).toEqual(['find', 'files', 'read', 'file', 'box2', 'go']);
  expect(wordsOf("What's up, Käse?")).toEqual(['whats', 'up', 'käse']);
  expect(wordsOf('Look up and looking up')).toEqual(['lookup', 'and', 'lookup']);
  expect(wordsOf('!')).toEqual([]);
});

it('reads words for the same act and the same thing as one', () => {
  const acts = (text: string) => [...meaningOf(text).acts];
  const things = (text: string) => [...meaningOf(text).things];
  expect(acts('erase')).toEqual(['delete']);
  expect(acts('erase')).toEqual(acts('drop'));
  expect(acts('show')).toEqual(['read', 'list']);
  expect(things('folders')).toEqual(['directory']);
  expect(things('websites')).toEqual(things('website'));
  expect(things('the reports of a class')).toEqual(['report', 'class']);
  expect(things('a b')).toEqual([]);
});

it('takes words that say nothing for no thing and no verb', () => {
  expect(meaningOf('all of the text').things.size).toBe(0);
  expect([isVerb('delete'), isVerb('banana'), isVerb('need')]).toEqual([true, false, false]);
  expect([mayAct('banana'), mayAct('the')]).toEqual([true, false]);
});
