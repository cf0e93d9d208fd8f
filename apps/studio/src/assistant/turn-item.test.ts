import { createRegistry, emptyFlow } from '@croft/flow';
import { createElement } from 'react';
import { describe, expect, it } from 'vitest';
import { nodeOf } from '../canvas/testing-nodes.ts';
import { useFakeApi } from '../testing/fake-api.ts';
import { outline } from '../testing/outline.ts';
import { usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
// Loaded before a test waits for it.
import '../files/markdown-text.tsx';
import { added } from './testing-events.ts';
import { TurnItem } from './turn-item.tsx';
import { newTurn, type TurnView } from './turn-view.ts';

useFakeApi();
const page = usePage();
const document = { ...emptyFlow('f'), nodes: [{ ...nodeOf('A'), name: 'Reader' }, nodeOf('B')] };
const done: TurnView = { ...newTurn('k'), status: 'complete' };

async function show(more: Partial<TurnView> = {}) {
  const flow = {
    flowId: 'f',
    document,
    version: 1,
    registry: createRegistry([]),
    apply: () => true,
    isReadOnly: false,
  };
  const props = { turn: { ...done, ...more }, flow, store: {}, onEdit: () => undefined };
  return page.show(inClient(testClient())(createElement(TurnItem, props as unknown as Parameters<typeof TurnItem>[0])));
}
const text = async (more: Partial<TurnView>) => (await show(more)).textContent;

describe('a turn under way', () => {
  it.each<[string, Partial<TurnView>]>([
    ['Sending…', { status: 'sending', label: 'Not yet' }],
    ['Reading your message…', { status: 'working' }],
    ['Orchestrating...', { status: 'working', label: 'Orchestrating...' }],
    [
      'Orchestrating...Reading notes.md',
      { status: 'working', label: 'Orchestrating...', activity: 'Reading notes.md' },
    ],
  ])('says %s', async (expected, more) => {
    const box = await show(more);
    expect([box.textContent, box.firstElementChild?.getAttribute('aria-busy')]).toEqual([expected, 'true']);
  });

  it('waits for an answer, and says nothing else', async () => {
    const question = { kind: 'question', id: 'q', text: 'Which one?', choices: ['This', 'That'] } as never;
    const shown = await text({ status: 'asking', label: 'Orchestrating...', question });
    expect(shown).toContain('Which one?');
    expect(shown).not.toContain('Orchestrating');
  });

  it('is over in the end', async () => {
    const box = await show({ label: 'Orchestrating...' });
    await expect.poll(() => outline(box)).toEqual(['div[aria-busy=false]']);
    expect([box.textContent, box.firstElementChild?.getAttribute('aria-busy')]).toEqual(['', 'false']);
  });
});

it('lists the changes of the canvas with the titles of components', async () => {
  const box = await show({
    tasks: [
      { key: '1', action: 'add_component', nodes: ['A'] },
      { key: '2', action: 'connect', nodes: ['A', 'B'] },
      { key: '3', action: 'disconnect', nodes: ['A', 'B'] },
      { key: '4', action: 'remove_component', nodes: ['B'] },
      { key: '5', action: 'configure', nodes: ['A'] },
    ],
  });
  await expect
    .poll(() => outline(box))
    .toEqual([
      'div[aria-busy=false]',
      'ul[aria-label=Changes of the canvas]',
      'icon plus 14',
      'span Added Reader',
      'icon check 15 [read aloud]',
      'icon link-2 14',
      'span Connected Reader → T',
      'icon check 15 [read aloud]',
      'icon link-2-off 14',
      'span Disconnected Reader → T',
      'icon check 15 [read aloud]',
      'icon trash 14',
      'span Removed T',
      'icon check 15 [read aloud]',
      'icon settings 14',
      'span Configured Reader',
      'icon check 15 [read aloud]',
    ]);
  expect(box.querySelector('ul')?.getAttribute('aria-label')).toBe('Changes of the canvas');
  expect([...box.querySelectorAll('li')].map((each) => each.textContent.trim())).toEqual([
    'Added Reader',
    'Connected Reader → T',
    'Disconnected Reader → T',
    'Removed T',
    'Configured Reader',
  ]);
  const icons = [...box.querySelectorAll('li svg:first-child')].map((each) => each.getAttribute('class') ?? '');
  expect(icons.map((each) => /lucide-(plus|link-2-off|link-2|trash-2|settings)\b/.exec(each)?.[1])).toEqual([
    'plus',
    'link-2',
    'link-2-off',
    'trash-2',
    'settings',
  ]);
});

it('shows what it said, was answered and notes', async () => {
  expect(
    await text({
      text: 'Done.',
      answers: [{ text: 'Which one?', choice: 'This' }],
      notices: [{ type: 'stopped', message: 'It stopped.' }],
    }),
  ).toBe('Done.Which one? ThisIt stopped.');
});

describe('the check of a turn', () => {
  it.each<[string, string, Partial<TurnView>]>([
    ['errors', 'The check found errors:No value.', { check: { errors: 1, problems: ['No value.'] } }],
    ['advice', 'No errors. The check suggests:No value.', { check: { errors: 0, problems: ['No value.'] } }],
    ['nothing', '', { check: { errors: 0, problems: [] } }],
    ['nothing of a reverted change', '', { isReverted: true, check: { errors: 1, problems: ['No value.'] } }],
  ])('shows %s', async (_, expected, more) => expect(await text(more)).toBe(expected));

  it('warns of errors only', async () => {
    const warns = async (errors: number) =>
      (await show({ check: { errors, problems: ['No value.'] } })).querySelector('.bg-warn-soft') !== null;
    expect([await warns(1), await warns(0)]).toEqual([true, false]);
  });
});

describe('the run of a turn', () => {
  const run = { id: 'r', status: 'completed', text: 'three words', durationSeconds: 1.5, tokens: 7 };

  it('has its cost and its result', async () => {
    const box = await show({ run });
    await expect
      .poll(() => outline(box))
      .toEqual([
        'div[aria-busy=false]',
        'icon play 14',
        'span Run completed',
        'span 1.5 s · 7 tokens',
        'p[aria-label=Result of the run][role=group][tabindex=0] three words',
      ]);
    expect(box.textContent).toBe('Run completed1.5 s · 7 tokensthree words');
    expect(box.querySelector('[role=group]')?.getAttribute('aria-label')).toBe('Result of the run');
  });

  it.each([
    ['Running the flow…', { ...run, status: 'running', text: '', durationSeconds: undefined, tokens: undefined }],
    ['The run waits for you1.5 s · 7 tokens', { ...run, status: 'waiting', text: '' }],
    ['The run ended: failed1.5 s · 7 tokens', { ...run, status: 'failed', text: '' }],
  ])('says %s', async (expected, given) => expect(await text({ run: given as never })).toBe(expected));

  it('does not repeat a result that the reply has', async () => {
    expect((await show({ run, text: 'Ran it: three words' })).querySelector('[role=group]')).toBeNull();
  });
});

it('says why it failed, and what to do', async () => {
  const failure = { message: 'No model.', detail: 'Choose one.' };
  const lines = async (more: Partial<TurnView>) =>
    [...(await show({ status: 'error', ...more })).querySelectorAll('p')].map((each) => each.textContent);
  expect(await lines({ failure })).toEqual(['No model.', 'Choose one.']);
  expect(await lines({ failure: { message: 'No model.' } })).toEqual(['No model.']);
  const tone = async (status: TurnView['status']) => (await show({ status, failure })).querySelector('.text-bad');
  expect([await tone('error'), await tone('cancelled')]).toEqual([expect.anything(), null]);
});

it('says that others changed the canvas meanwhile', async () => {
  const shown = await show({ startVersion: 1, events: [added('T', 'B', 5)] });
  expect(shown.textContent).toContain('The canvas was changed elsewhere meanwhile. Those changes are kept.');
  expect((await show({ startVersion: 1, events: [added('T', 'B', 2)] })).textContent).toBe('');
});

it('has a card for each offer, file and component', async () => {
  const shown = await text({
    plan: { id: 'p', markdown: 'My plan', status: 'pending' },
    files: [{ action: 'write_file', path: 'out.txt', size: 3 }],
    components: [{ className: 'Own', label: 'My own', code: 'class Own {}' }],
  });
  for (const part of ['My plan', 'out.txt', 'My own']) expect(shown).toContain(part);
});

it.each([
  [false, 'Applied'],
  [true, 'Undone'],
])('says of fields that it set, reverted %s: %s', async (isReverted, word) => {
  const field = {
    id: 'o',
    component_id: 'A',
    component_type: 'T',
    field: 'x',
    old_value: 1,
    new_value: 2,
    description: '',
  };
  const shown = await text({ isReverted, fields: [{ ...field, patch: [], status: 'applied' }] } as never);
  expect(shown).toContain(word);
});
