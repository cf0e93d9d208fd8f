import { expect, it } from 'vitest';
import { headingIds, type HtmlNode } from './heading-ids.ts';

const heading = (tagName: string, ...children: HtmlNode[]) => ({ type: 'element', tagName, properties: {}, children });
const text = (value: string) => ({ type: 'text', value });

it.each([
  ['Getting started', 'getting-started'],
  ['What’s new, in 2.0?', 'whats-new-in-20'],
  ['Über_uns - 日本', 'über_uns---日本'],
])('names the heading %s: %s', (name, id) => {
  const one = heading('h2', text(name));
  headingIds('p-')({ type: 'root', children: [one] });
  expect(one.properties).toEqual({ id: `p-${id}` });
});

it('reads code and emphasis, and gives no id twice', () => {
  const code = heading('h6', text('Use '), heading('code', text('run()')));
  const [first, second, third] = [heading('h1', text('A')), heading('h3', text('A')), heading('h3', text('a-1'))];
  headingIds('')({ type: 'root', children: [code, first, { type: 'element', children: [second] }, third] });
  expect([code, first, second, third].map(({ properties }) => properties)).toEqual([
    { id: 'use-run' },
    { id: 'a' },
    { id: 'a-1' },
    { id: 'a-1-1' },
  ]);
});

it('leaves other elements', () => {
  const one = heading('p', text('Text'));
  headingIds('')({ type: 'root', children: [one] });
  expect(one.properties).toEqual({});
});
