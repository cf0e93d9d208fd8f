import { createRegistry, type Descriptor } from '@croft/flow';
import { expect, it } from 'vitest';
import { componentNamedIn } from './named-component.ts';

const component = (type: string, label: string, more: Partial<Descriptor> = {}) => ({
  descriptor: {
    type,
    label,
    description: '',
    category: 'logic' as const,
    effects: [],
    fields: [],
    outputs: [],
    ...more,
  },
});
const registry = createRegistry([
  component('SortRows', 'Sort rows'),
  component('Webhook', 'Webhook'),
  component('OldHook', 'Old hook', { legacy: true }),
  component('OneParser', 'Parser'),
  component('OtherParser', 'Parser'),
]);
const named = (message: string) => componentNamedIn(message, registry)?.type;

it.each([
  'add a Sort rows component',
  'Please add the "sort ROWS" step.',
  'now insert another SortRows node at the end of my flow!',
  'add a step that sorts the rows',
  'and then include a component called Sort Rows to the canvas',
  'append a new sorting rows step',
])('finds the component of “%s”', (message) => {
  expect(named(message)).toBe('SortRows');
});

it.each([
  'add a Sort rows',
  'sort rows component',
  'add a step that sorts the rows by name',
  'add a rows component',
  'add an Old hook component',
  'add a step',
  'add the component that does',
])('finds none in “%s”', (message) => {
  expect(named(message)).toBeUndefined();
});

it('chooses none of several with one title, and takes an exact type before similar words', () => {
  expect([named('add a Parser component'), named('add a OtherParser component')]).toEqual([undefined, 'OtherParser']);
});
