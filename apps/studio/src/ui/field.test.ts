import { createElement } from 'react';
import { expect, it } from 'vitest';
import { usePage } from '../testing/page.ts';
import { Field } from './field.tsx';

const page = usePage();

async function show(more: { hint?: string; error?: string }) {
  const box = await page.show(
    createElement(Field, {
      label: 'Name',
      children: (control) => createElement('input', { ...control, readOnly: true }),
      ...more,
    }),
  );
  const input = box.querySelector('input') as HTMLInputElement;
  const described = (input.getAttribute('aria-describedby') ?? '').split(' ').filter(Boolean);
  const texts = described.map((id) => document.getElementById(id)?.textContent);
  return {
    texts,
    isInvalid: input.getAttribute('aria-invalid'),
    label: box.querySelector('label')?.getAttribute('for'),
    id: input.id,
    alert: box.querySelector('[role=alert]')?.textContent,
  };
}

it('ties a label, a hint and an error to the control', async () => {
  const plain = await show({});
  expect([plain.texts, plain.isInvalid, plain.label === plain.id && plain.id !== '']).toEqual([[], null, true]);
  expect(await show({ hint: 'Any word' })).toMatchObject({ texts: ['Any word'], isInvalid: null });
  expect(await show({ hint: 'Any word', error: 'Taken' })).toMatchObject({
    texts: ['Any word', 'Taken'],
    isInvalid: 'true',
    alert: 'Taken',
  });
});
