import { expect, it } from 'vitest';
import { findTemplates, orderTemplates } from './order-templates.ts';

it('puts templates that run without a model first for a user without a provider', () => {
  const [chat, count, agent, find] = [true, false, true, false].map((usesModel) => ({ usesModel }));
  const templates = [chat, count, agent, find] as { usesModel: boolean }[];
  const ordered = orderTemplates(templates, false);
  for (const [index, expected] of [count, find, chat, agent].entries()) expect(ordered[index]).toBe(expected);
  expect(orderTemplates(templates, true)).toBe(templates);
});

it('finds templates by all words of a search, in title, description and files', () => {
  const count = { name: 'count', spec: 'name: Word counter', description: 'Counts the words of a text.', files: {} };
  const report = { name: 'sales', spec: 'nodes:', description: 'Sums by region.', files: { 'orders.csv': 'a' } };
  const templates = [count, report];
  expect(findTemplates(templates, ' ')).toEqual(templates);
  expect(findTemplates(templates, 'WORD text')).toEqual([count]);
  expect(findTemplates(templates, 'orders')).toEqual([report]);
  expect(findTemplates(templates, 'word region')).toEqual([]);
});
