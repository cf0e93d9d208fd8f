import type { Descriptor } from '@croft/flow';
import { expect, it } from 'vitest';
import { categoriesOf, searchComponents } from './search-components.ts';
import { make } from './testing-wires.ts';

const component = (label: string, more: Partial<Descriptor> = {}): Descriptor =>
  make(`T${label}`, [], [], { label, ...more }).descriptor;
const found = (list: readonly Descriptor[], search: string) => searchComponents(list, search).map(({ label }) => label);
const output = (...types: Descriptor['outputs'][number]['types']) => ({ outputs: [{ name: 'o', label: 'O', types }] });

it('finds the best match first: name, beginning, word, part, keyword, purpose, type of a port', () => {
  const list = [
    component('Last', output('Table')),
    component('Purposeful', { description: 'Splits a table' }),
    component('Keyed', { keywords: ['table'] }),
    component('Constable'),
    component('Join table'),
    component('Table join'),
    component('Table'),
  ];
  expect(found(list, 'TABLE')).toEqual([
    'Table',
    'Table join',
    'Join table',
    'Constable',
    'Keyed',
    'Purposeful',
    'Last',
  ]);
});

it('finds by type, category, alias, and by the words of a port', () => {
  expect(found([component('A', { type: 'Special' })], 'spec')).toEqual(['A']);
  expect(found([component('A', { category: 'models' })], 'model')).toEqual(['A']);
  expect(found([component('A', { aliases: ['Old name'] }), component('B')], 'old')).toEqual(['A']);
  expect(found([component('A', { keywords: ['xold'] })], 'old')).toEqual([]);
  const handle = { name: 'i', label: 'I', kind: 'handle' as const, accepts: ['LanguageModel' as const] };
  expect(found([component('A', { fields: [handle] })], 'language')).toEqual(['A']);
  expect(found([component('A', output('Message'))], 'message')).toEqual(['A']);
});

it('must find every word; an empty search finds all in their order', () => {
  const list = [component('Split text'), component('Text'), component('Split')];
  expect(found(list, 'text split')).toEqual(['Split text']);
  const mixed = [
    component('Q', { keywords: ['rows'], ...output('Table') }),
    component('P', { description: 'rows, table' }),
  ];
  expect(found(mixed, 'rows table')).toEqual(['Q', 'P']);
  expect(found(list, '  ')).toEqual(['Split text', 'Text', 'Split']);
  expect(found(list, 'nothing')).toEqual([]);
});

it('keeps the order of the registry among equals, and groups by category', () => {
  const list = [
    component('B', { category: 'one' }),
    component('A', { category: 'two' }),
    component('C', { category: 'one' }),
  ];
  expect(categoriesOf(list).map(({ name, components }) => [name, ...components.map(({ label }) => label)])).toEqual([
    ['one', 'B', 'C'],
    ['two', 'A'],
  ]);
});

it("adds what it finds for each word, and takes the registry's order among equals", () => {
  const list = [component('Alpha one'), component('Beta alpha one'), component('Alpha', { keywords: ['one'] })];
  expect(found(list, 'alpha one')).toEqual(['Alpha one', 'Alpha', 'Beta alpha one']);
  expect(found([component('Same b'), component('Same a')], 'same')).toEqual(['Same b', 'Same a']);
});

it('prefers a keyword to a purpose, and both to a type', () => {
  const list = [
    component('Type', output('Message')),
    component('Purpose', { description: 'messages' }),
    component('Alias', { aliases: ['Messages'] }),
    component('Inside', { type: 'XMessages' }),
  ];
  expect(found(list, 'messages')).toEqual(['Inside', 'Alias', 'Purpose', 'Type']);
  expect(found([component('A', output('LanguageModel'))], 'languagemodel')).toEqual(['A']);
  expect(found([component('A', output('Table'))], 'able')).toEqual([]);
});

it('finds a short word only where a word begins', () => {
  const list = [
    component('Notify'),
    component('Purposeful', { description: 'Says so, if asked' }),
    component('If-Else'),
  ];
  expect(found(list, 'if')).toEqual(['If-Else', 'Purposeful']);
  expect(found(list, 'ify')).toEqual(['Notify']);
});
