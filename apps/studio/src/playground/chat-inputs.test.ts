import { createElement, useState } from 'react';
import { expect, it, vi } from 'vitest';
import { fieldKey, type FormValues, type RunField } from '../canvas/run-fields.ts';
import { outline } from '../testing/outline.ts';
import { fire, type, usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { ChatInputs } from './chat-inputs.tsx';

const page = usePage();
const field = (name: string, more: object = {}, value: unknown = '') =>
  ({
    node: 'A',
    title: 'A',
    field: { name, label: name, kind: 'text', required: true, ...more },
    value,
  }) as unknown as RunField;

async function show(fields: readonly RunField[], values: object = {}) {
  const onValues = vi.fn();
  const props = { fields, values, onValues } as unknown as Parameters<typeof ChatInputs>[0];
  const box = await page.show(inClient(testClient())(createElement(ChatInputs, props)));
  return {
    box,
    details: box.querySelector('details') as Element,
    summary: box.querySelector('summary')?.textContent,
    onValues,
  };
}

it('is open at first where a required input is empty, and counts them', async () => {
  const one = await show([field('a'), field('b', { required: false }), field('c', {}, 'x')]);
  expect([one.summary, one.details.hasAttribute('open')]).toEqual(['Other inputs1 is empty', true]);
  expect((await show([field('a'), field('b', {}, null)])).summary).toBe('Other inputs2 are empty');
});

it('is closed where all have a value', async () => {
  const a = field('a');
  const { summary, details } = await show([a], { [fieldKey(a)]: 'typed' });
  expect([summary, details.hasAttribute('open')]).toEqual(['Other inputs', false]);
});

it('stays open while the last required input is typed, until the user closes it', async () => {
  const Form = () => {
    const [values, onValues] = useState<FormValues>({});
    return createElement(ChatInputs, { fields: [field('a')], values, onValues });
  };
  const box = await page.show(inClient(testClient())(createElement(Form)));
  const details = box.querySelector('details') as HTMLDetailsElement;
  await type(box.querySelector('input') as Element, 'x');
  expect([box.textContent.includes('empty'), details.hasAttribute('open')]).toEqual([false, true]);
  Object.defineProperty(details, 'open', { configurable: true, value: false });
  await fire(details, 'toggle');
  expect(details.hasAttribute('open')).toBe(false);
});

it('gives what is typed', async () => {
  const a = field('a');
  const { box, onValues } = await show([a]);
  await expect
    .poll(() => outline(box))
    .toEqual([
      'details[open]',
      'summary Other inputs',
      'icon chevron-right 15',
      'span 1 is empty',
      'label[for=#1] a',
      'input#1[required]',
      'p#1-error[role=alert]',
    ]);
  await type(box.querySelector('input, textarea') as Element, 'x');
  expect(onValues).toHaveBeenCalled();
});
