import type { Field, Json } from '@croft/flow';
import { createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { refusal, useFakeApi } from '../testing/fake-api.ts';
import { outline } from '../testing/outline.ts';
import { fire, named, type, usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { FieldControl } from './field-control.tsx';

const server = useFakeApi();
const page = usePage();
const control = { id: 'c', 'aria-describedby': undefined, 'aria-invalid': undefined };

async function show(kind: Field['kind'], value: Json, more: object = {}) {
  server.answer('GET /api/v1/models', refusal(500, 'broken'));
  server.answer('GET /api/v1/flows', { flows: [], nextCursor: null });
  server.answer('GET /api/v1/variables', { variables: [] });
  const field = { name: 'f', label: 'Field', kind, ...more } as Field;
  const onValue = vi.fn();
  const props = { control, field, value, onValue, disabled: false, problems: [], place: crypto.randomUUID() };
  const box = await page.show(inClient(testClient())(createElement(FieldControl, props)));
  return Object.assign(box, { onValue });
}
const isJson = async (box: Element) => {
  await vi.waitFor(() => expect(box.querySelector('[data-language]')).not.toBeNull());
  return box.querySelector<HTMLElement>('[data-language]')?.dataset['language'] === 'json';
};

it.each([
  ['switch', true, '[role=switch][aria-checked=true]'],
  ['switch', null, '[role=switch][aria-checked=false]'],
  ['number', 3, 'input'],
  ['integer', null, 'input'],
  ['slider', 3, 'input'],
  ['select', 'a', 'select'],
  ['select', null, 'select'],
  ['multiselect', ['a'], 'fieldset'],
  ['model', 'A/m', 'select'],
  ['file', 'a.txt', 'input'],
  ['file', ['a.txt'], 'input'],
  ['file', null, 'input'],
  ['flow', 'f1', 'select'],
  ['text', 'a', 'input'],
  ['text', 3, 'input'],
  ['multiline', 'a', 'textarea'],
] as const)('has for a %s with %j the control %s', async (kind, value, selector) => {
  const box = await show(kind, value as Json, {
    options: ['a', 'b'],
    columns: [{ name: 'x', label: 'X', kind: 'text' }],
  });
  expect([box.querySelector(selector) !== null, box.querySelector('[data-language=json]')]).toEqual([true, null]);
});

it.each([
  ['number', 'three'],
  ['select', 3],
  ['table', [{ a: 1 }]],
  ['table', 'a'],
  ['key-value', 'a'],
  ['key-value', [1]],
  ['file', ['a', 'b']],
  ['secret', 3],
  ['flow', { id: 1 }],
  ['text', { a: 1 }],
  ['multiline', [1]],
  ['code', { a: 1 }],
  ['json', { a: 1 }],
  ['handle', 'a'],
] as const)('shows as JSON for a %s the value %j', async (kind, value) => {
  expect(await isJson(await show(kind, value as unknown as Json))).toBe(true);
});

it('edits a file by its path, typed or chosen', async () => {
  server.answer('GET /api/v1/files', {
    entries: [{ path: 'b.csv', name: 'b.csv', type: 'file', size: null, modifiedAt: null }],
    truncated: false,
  });
  const box = await show('file', ['a.csv'], { placeholder: 'Path' });
  const input = box.querySelector('input') as HTMLInputElement;
  expect([input.value, input.placeholder]).toEqual(['a.csv', 'Path']);
  await type(input, 'c');
  await fire(named(box, 'Choose a file'), 'click');
  const dialog = () => document.querySelector('dialog') as Element;
  await vi.waitFor(() => expect(dialog().textContent).toContain('b.csv'));
  await fire(named(dialog(), 'b.csv'), 'click');
  expect([box.onValue.mock.calls, input.value]).toEqual([[['c'], ['b.csv']], 'a.csv']);
});

it('has rows for tables and records', async () => {
  const columns = [{ name: 'x', label: 'Column X', kind: 'text' }];
  expect((await show('table', [{ x: '1' }], { columns })).querySelector('input')).not.toBeNull();
  expect((await show('table', null, { columns })).querySelector('[data-language]')).toBeNull();
  expect((await show('key-value', { a: '1' })).querySelector('input')).not.toBeNull();
  expect((await show('key-value', null)).querySelector('[data-language]')).toBeNull();
  for (const rows of [[null], [{ x: '1' }, null], [{ x: '1' }, 'a'], [['a']]])
    expect(await isJson(await show('table', rows as unknown as Json, { columns }))).toBe(true);
});

it('edits code in its language', async () => {
  const box = await show('code', 'x()', { language: 'typescript' });
  await expect
    .poll(() => outline(box))
    .toEqual([
      'input[type=text][data-types=true][data-tall=false][data-language=typescript][aria-label=Field][value=x()]',
      'button[type=button]',
      'span Edit in a large window',
      'icon maximize-2 14',
    ]);
  expect(await isJson(box)).toBe(false);
  expect(box.querySelector<HTMLInputElement>('[data-language=typescript]')?.value).toBe('x()');
});

it('offers models that embed by another name', async () => {
  expect((await show('embedding-model', null)).textContent).toContain('croft/lexical (needs no key)');
});
