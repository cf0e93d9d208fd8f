import { createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { outline } from '../testing/outline.ts';
import { choose, type, usePage } from '../testing/page.ts';
import { Input, Select } from './input.tsx';

const page = usePage();

it('is a field that hands on its attributes, texts and class', async () => {
  const onChange = vi.fn();
  const box = await page.show(
    createElement(Input, { 'aria-label': 'Name', 'aria-invalid': true, className: 'pr-11', onChange }),
  );
  await expect.poll(() => outline(box)).toEqual(['input[aria-invalid=true][aria-label=Name]']);
  const input = box.querySelector('input') as Element;
  await type(input, 'a');
  expect([input.getAttribute('aria-label'), input.getAttribute('aria-invalid'), onChange.mock.calls.length]).toEqual([
    'Name',
    'true',
    1,
  ]);
  expect(input.className).toMatch(/aria-invalid:border-bad.* pr-11$/);
});

it('is a select that hands on its attributes, choice and class', async () => {
  const onChange = vi.fn();
  const option = createElement('option', { value: 'a' }, 'A');
  const box = await page.show(createElement(Select, { name: 's', className: 'w-9', onChange, children: option }));
  await expect.poll(() => outline(box)).toEqual(['select[name=s]', 'option A']);
  const select = box.querySelector('select[name=s]') as Element;
  await choose(select, 'a');
  expect([select.textContent, onChange.mock.calls.length]).toEqual(['A', 1]);
  expect(select.className).toMatch(/aria-invalid:border-bad.* w-9$/);
});
