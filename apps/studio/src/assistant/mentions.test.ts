import { emptyFlow, type Registry } from '@croft/flow';
import { expect, it } from 'vitest';
import { mentionAt, mentionItems, withMention } from './mentions.ts';
import { nodeOf } from './testing-events.ts';

const flow = {
  ...emptyFlow(),
  nodes: [nodeOf('Prompt', 'Prompt-a1b2c'), { ...nodeOf('Agent', 'A-1'), name: 'Writer' }],
};
const descriptor = {
  label: 'Prompt',
  fields: [
    { name: 'template', label: 'Words', type: 'text' },
    { name: 'tone', label: 'Tone', type: 'text' },
  ],
  inputs: [],
  outputs: [],
};
const registry = { get: (type: string) => (type === 'Prompt' ? { descriptor } : undefined) } as unknown as Registry;
const items = (query: string) => mentionItems(query, flow, registry).map(({ insert }) => insert);

it('offers components by name or id, in either case', () => {
  expect(items('')).toEqual(['Prompt-a1b2c', 'A-1']);
  expect(items('WRIT')).toEqual(['A-1']);
  expect(items('a-1')).toEqual(['A-1']);
  expect([items('none'), items('x')]).toEqual([[], []]);
  expect(items('PROMPT-A1B2C PROMPT')).toEqual(['Prompt-a1b2c']);
  expect(mentionItems('writ', flow, registry)[0]).toEqual({ id: 'A-1', title: 'Writer', about: 'A-1', insert: 'A-1' });
});

it('offers the fields of a component behind its id, by name or label', () => {
  expect(items('Prompt-a1b2c.')).toEqual(['Prompt-a1b2c.template', 'Prompt-a1b2c.tone']);
  expect(items('Prompt-a1b2c.word')).toEqual(['Prompt-a1b2c.template']);
  expect([items('A-1.'), items('Prompt-a1b2c.x'), items('gone.'), items('Prompt-a1b2c.TONE TONE')]).toEqual([
    [],
    [],
    [],
    ['Prompt-a1b2c.tone'],
  ]);
  expect(mentionItems('Prompt-a1b2c.tone', flow, registry)[0]).toEqual({
    id: 'Prompt-a1b2c.tone',
    title: 'Tone',
    about: 'Prompt-a1b2c.tone',
    insert: 'Prompt-a1b2c.tone',
  });
});

it('offers at most eight of them', () => {
  const nodes = Array.from({ length: 12 }, (_, at) => nodeOf('T', `T-${at}`));
  expect(mentionItems('', { ...flow, nodes }, registry)).toHaveLength(8);
  const fields = Array.from({ length: 12 }, (_, at) => ({ name: `f${at}`, label: 'F', type: 'text' }));
  const many = { get: () => ({ descriptor: { ...descriptor, fields } }) } as unknown as Registry;
  expect(mentionItems('A-1.', flow, many)).toHaveLength(8);
});

it('finds the mention before the cursor, but not an address', () => {
  expect(mentionAt('set @Pro', 8)).toEqual({ start: 4, query: 'Pro' });
  expect(mentionAt('set @Pro-1.te now', 13)).toEqual({ start: 4, query: 'Pro-1.te' });
  expect(mentionAt('@', 1)).toEqual({ start: 0, query: '' });
  expect(mentionAt('set @Pro to', 11)).toBeUndefined();
  expect(mentionAt('mail ada@croft', 14)).toBeUndefined();
});

it('puts the id in the place of a mention, with one space after it', () => {
  const item = { id: 'A-1', title: '', about: '', insert: 'A-1' };
  expect(withMention('set @wr to', { start: 4, query: 'wr' }, item)).toEqual({ text: 'set A-1 to', cursor: 8 });
  expect(withMention('set @wr', { start: 4, query: 'wr' }, item)).toEqual({ text: 'set A-1 ', cursor: 8 });
});
