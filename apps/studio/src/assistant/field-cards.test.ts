import { createRegistry, type Descriptor, emptyFlow } from '@croft/flow';
import { act, createElement } from 'react';
import { expect, it } from 'vitest';
import { outline } from '../testing/outline.ts';
import { fire, named, usePage } from '../testing/page.ts';
import { FieldCards } from './field-cards.tsx';
import type { FieldOffer } from './turn-view.ts';

const page = usePage();
const offer = (id: string, more: Partial<FieldOffer> = {}): FieldOffer => ({
  id,
  component_id: 'P',
  component_type: 'Prompt',
  field: 'template',
  old_value: 'old words',
  new_value: 'new words',
  status: 'pending',
  ...more,
});
const descriptor = {
  type: 'Prompt',
  label: 'Prompt',
  fields: [{ name: 'template', label: 'Template', kind: 'text' }],
  outputs: [],
};
const TITLE = ['section[aria-label=Proposed changes]', 'h3 Template  Prompt', 'span of', 'p P'];
const VALUES = ['div[tabindex=0][aria-label=Old and new value][role=group]', 'del old', 'ins new', 'span words'];

const done = () => Promise.resolve();

async function show(
  fields: readonly FieldOffer[],
  { isReadOnly = false, isReverted = false, value = 'old words', applies = true, type = 'Prompt', decide = done } = {},
) {
  const calls: unknown[][] = [];
  const node = { id: 'P', type, position: { x: 0, y: 0 }, values: { template: value } };
  const props = {
    fields,
    turnKey: 'k',
    isReverted,
    flow: {
      document: { ...emptyFlow('f'), nodes: [node] },
      registry: createRegistry([{ descriptor: descriptor as unknown as Descriptor }]),
      isReadOnly,
      apply: (edits: unknown) => {
        calls.push(['apply', edits]);
        return applies;
      },
    },
    store: {
      decide: (...args: unknown[]) => {
        calls.push(['decide', ...args]);
        return decide();
      },
      landed: async (...args: unknown[]) => void calls.push(['landed', ...args]),
    },
  } as unknown as Parameters<typeof FieldCards>[0];
  const box = await page.show(createElement(FieldCards, props));
  const press = async (key: string, more: object = {}) => {
    const keys = { key, ctrlKey: false, metaKey: false, altKey: false, ...more };
    return (await fire(box.querySelector('section') as Element, 'keydown', keys)).defaultPrevented;
  };
  const at = () => /(\d+ of \d+)/.exec(box.textContent ?? '')?.[1];
  return { box, calls, press, at };
}

it('shows what goes and what comes, and decides about exactly that', async () => {
  const { box, calls } = await show([offer('e1')]);
  await expect
    .poll(() => outline(box))
    .toEqual([
      ...TITLE,
      ...VALUES,
      'button[type=button]',
      'span Accept',
      'icon check 14',
      'button[type=button]',
      'span Dismiss',
      'icon x 14',
    ]);
  expect([box.querySelector('del')?.textContent, box.querySelector('ins')?.textContent]).toEqual(['old', 'new']);
  expect(box.textContent).toContain('Template of Prompt');
  await fire(named(box, 'Accept'), 'click');
  await fire(named(box, 'Dismiss'), 'click');
  expect(calls).toEqual([
    ['decide', 'k', 'e1', 'accept'],
    ['decide', 'k', 'e1', 'dismiss'],
  ]);
});

it('decides about all that wait, and about no other', async () => {
  const fields = [offer('e1', { status: 'applied' }), offer('e2'), offer('e3')];
  const { box, calls } = await show(fields);
  await expect
    .poll(() => outline(box))
    .toEqual([
      ...TITLE,
      'span Applied',
      ...VALUES,
      'button[type=button]',
      'span Accept all 2',
      'button[type=button]',
      'span Dismiss all',
      'span 1 of 3',
      'button[disabled][title=Previous change][aria-label=Previous change][type=button]',
      'icon arrow-left 14',
      'button[title=Next change][aria-label=Next change][type=button]',
      'icon arrow-right 14',
    ]);
  await fire(named(box, 'Accept all 2'), 'click');
  await fire(named(box, 'Dismiss all'), 'click');
  expect(calls.map(([, , id, choice]) => `${id as string} ${choice as string}`)).toEqual([
    'e2 accept',
    'e3 accept',
    'e2 dismiss',
    'e3 dismiss',
  ]);
});

it('goes through the changes by J and K, and decides by A and R', async () => {
  const { calls, press, at } = await show([offer('e1'), offer('e2', { status: 'applied' })]);
  expect(at()).toBe('1 of 2');
  await press('k');
  expect(at()).toBe('1 of 2');
  await press('a', { ctrlKey: true });
  await press('x');
  expect(calls).toEqual([]);
  await press('A');
  await press('r');
  await press('j');
  await press('j');
  expect(at()).toBe('2 of 2');
  await press('a');
  expect(calls).toEqual([
    ['decide', 'k', 'e1', 'accept'],
    ['decide', 'k', 'e1', 'dismiss'],
  ]);
});

it('says what became of a change', async () => {
  const text = async (status: FieldOffer['status'], isReverted = false) =>
    (await show([offer('e1', { status })], { isReverted })).box.querySelector('section > div')?.textContent;
  expect(await text('applied')).toMatch(/Applied$/);
  expect(await text('applied', true)).toMatch(/Undone$/);
  expect(await text('dismissed')).toMatch(/Dismissed$/);
});

it('applies a dismissed change after all, while the field still has the old value', async () => {
  const dismissed = [offer('e1', { status: 'dismissed' })];
  const { box, calls } = await show(dismissed);
  await fire(named(box, 'Apply it after all'), 'click');
  expect(calls).toEqual([
    ['apply', [{ kind: 'configure', id: 'P', values: { template: 'new words' } }]],
    ['landed', 'k', 'e1'],
  ]);
  const refused = await show(dismissed, { applies: false });
  await fire(named(refused.box, 'Apply it after all'), 'click');
  expect(refused.calls).toHaveLength(1);
  expect((await show(dismissed, { value: 'other' })).box.textContent).not.toContain('after all');
});

it('has no decisions where the flow cannot be edited', async () => {
  const { box, calls, press } = await show([offer('e1'), offer('e2')], { isReadOnly: true });
  await press('a');
  expect([calls, [...box.querySelectorAll('button')].map((each) => each.getAttribute('aria-label'))]).toEqual([
    [],
    ['Previous change', 'Next change'],
  ]);
  expect((await show([])).box.innerHTML).toBe('');
});

it('moves through the changes by keys and by buttons, and stops at both ends', async () => {
  const { box, press, at } = await show([offer('e1'), offer('e2', { status: 'applied' }), offer('e3')]);
  const click = (name: string) => fire(named(box, name), 'click');
  const isDisabled = (name: string) => named(box, name).hasAttribute('disabled');
  const seen: unknown[] = [];
  for (const move of [
    () => press('J'),
    () => press('k'),
    () => press('j'),
    () => press('j', { ctrlKey: true }),
    () => press('j', { metaKey: true }),
    () => press('j', { altKey: true }),
    () => press('a'),
    () => press('r'),
    () => click('Next change'),
    () => press('j'),
    () => click('Previous change'),
    () => press('x'),
  ])
    seen.push(
      [await move(), at(), isDisabled('Previous change'), isDisabled('Next change')].filter(
        (each) => typeof each !== 'object',
      ),
    );
  expect(seen).toEqual([
    [true, '2 of 3', false, false],
    [true, '1 of 3', true, false],
    [true, '2 of 3', false, false],
    [false, '2 of 3', false, false],
    [false, '2 of 3', false, false],
    [false, '2 of 3', false, false],
    [false, '2 of 3', false, false],
    [false, '2 of 3', false, false],
    ['3 of 3', false, true],
    [true, '3 of 3', false, true],
    ['2 of 3', false, false],
    [false, '2 of 3', false, false],
  ]);
});

it('takes no second decision while one is under way, and shows the next change after it', async () => {
  let end: () => void = () => undefined;
  const decide = () => new Promise<void>((resolve) => (end = resolve));
  const { box, calls, press, at } = await show([offer('e1'), offer('e2', { status: 'dismissed' }), offer('e3')], {
    decide,
  });
  const states = () =>
    [...box.querySelectorAll('button')].slice(0, 4).map((each) => [each.textContent.trim(), each.disabled]);
  await press('r');
  expect([await press('a'), await press('r')]).toEqual([false, false]);
  expect(states()).toEqual([
    ['AcceptWorking', false],
    ['Dismiss', true],
    ['Accept all 2', true],
    ['Dismiss all', true],
  ]);
  await act(async () => end());
  expect([calls, at(), states()]).toEqual([
    [['decide', 'k', 'e1', 'dismiss']],
    '3 of 3',
    [
      ['Accept', false],
      ['Dismiss', false],
      ['Accept all 2', false],
      ['Dismiss all', false],
    ],
  ]);
  await fire(named(box, 'Dismiss all'), 'click');
  await act(async () => end());
  await act(async () => end());
  expect([calls.length, at()]).toEqual([3, '3 of 3']);
});

it('names a field and a component that the flow does not have, and shows two empty values', async () => {
  const unknown = [offer('e1', { component_id: 'Q', old_value: '', new_value: '', status: 'dismissed' })];
  const text = (box: Element) => [box.querySelector('h3')?.textContent, box.querySelector('[role=group]')?.textContent];
  const gone = await show(unknown);
  const untyped = await show([offer('e1', { old_value: '' })], { type: 'Gone' });
  const unnamed = await show([offer('e1', { field: 'other', new_value: '', old_value: null, status: 'dismissed' })]);
  const removed = await show([offer('e1', { new_value: '' })]);
  expect([gone, untyped, unnamed, removed].map(({ box }) => text(box))).toEqual([
    ['template of Prompt', '(empty)'],
    ['template of Gone', 'new words'],
    ['other of Prompt', '(empty)'],
    ['Template of Prompt', 'old words'],
  ]);
  const offers = [gone, unnamed].map(({ box }) => box.textContent?.includes('Apply it after all'));
  const readOnly = await show([offer('e1', { status: 'dismissed' })], { isReadOnly: true });
  expect([...offers, readOnly.box.textContent?.includes('Apply it after all')]).toEqual([false, true, false]);
});
