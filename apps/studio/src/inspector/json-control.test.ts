import type { Json } from '@croft/flow';
import { act, createElement, useState } from 'react';
import { expect, it, vi } from 'vitest';
import { outline } from '../testing/outline.ts';
import { fire, named, type, usePage } from '../testing/page.ts';
import { JsonControl } from './json-control.tsx';

const page = usePage();

async function show(value: Json, disabled = false, place = crypto.randomUUID()) {
  const onValue = vi.fn();
  const box = await page.show(createElement(JsonControl, { value, onValue, disabled, label: 'Body', place }));
  await vi.waitFor(() => expect(box.querySelector('input')).not.toBeNull());
  const field = () => box.querySelector('input') as HTMLInputElement;
  const write = async (text: string) => {
    await type(field(), text);
    await fire(field(), 'focusout');
  };
  return { box, field, write, onValue };
}

it('shows a value on several lines, and nothing for none', async () => {
  const { field } = await show({ a: [1] });
  expect([field().value, field().getAttribute('aria-label'), field().dataset['language']]).toEqual([
    '{\n  "a": [\n    1\n  ]\n}',
    'Body',
    'json',
  ]);
  expect([(await show(null)).field().value, (await show('', true)).field().hasAttribute('disabled')]).toEqual([
    '',
    true,
  ]);
});

it('gives a value that is JSON, and keeps a wrong text with its problem', async () => {
  const { box, field, write, onValue } = await show({ a: 1 });
  await expect
    .poll(() => outline(box))
    .toEqual([
      'input[type=text][data-types=false][data-tall=false][data-language=json][aria-label=Body][value={\\n  "a": 1\\n}]',
      'button[type=button]',
      'span Edit in a large window',
      'icon maximize-2 14',
    ]);
  await write('{"a": 2}');
  expect(onValue.mock.calls).toEqual([[{ a: 2 }]]);
  await write('{"a": }');
  expect([onValue.mock.calls.length, field().value, box.querySelector('output')?.textContent]).toEqual([
    1,
    '{"a": }',
    expect.stringMatching(/^1: .+ The flow keeps the value from before\.$/),
  ]);
  await write('3');
  expect([onValue.mock.lastCall, box.querySelector('output')?.textContent]).toEqual([[3], '']);
});

it('is edited in a large window, too', async () => {
  const { box, field } = await show(1);
  expect(field().dataset['tall']).toBe('false');
  await fire(named(box, 'Edit in a large window'), 'click');
  const dialog = document.body.querySelector('dialog') as Element;
  await vi.waitFor(() => expect(dialog.querySelector('input')?.dataset['tall']).toBe('true'));
  expect(dialog.querySelector('h2')?.textContent).toBe('Body');
  await fire(named(dialog, 'Close'), 'click');
  expect(document.body.querySelector('dialog')).toBeNull();
});

it('drops a wrong text for good once the value changes by other means', async () => {
  let reset = (_value: Json) => {};
  const Host = () => {
    const [value, setValue] = useState<Json>({ a: 1 });
    reset = setValue;
    return createElement(JsonControl, { value, onValue: setValue, disabled: false, label: 'Body', place: '' });
  };
  const box = await page.show(createElement(Host));
  await vi.waitFor(() => expect(box.querySelector('input')).not.toBeNull());
  const shown = () => [box.querySelector('input')?.value, box.querySelector('output')?.textContent];
  await type(box.querySelector('input') as Element, '{"a": }');
  await fire(box.querySelector('input') as Element, 'focusout');
  await act(async () => reset({ a: 1 }));
  expect(shown()).toEqual(['{"a": }', expect.stringContaining('The flow keeps the value from before.')]);
  await act(async () => reset(2));
  expect(shown()).toEqual(['2', '']);
  await act(async () => reset({ a: 1 }));
  expect(shown()).toEqual(['{\n  "a": 1\n}', '']);
});

it('keeps a wrong text while another component is selected, until the value changes by other means', async () => {
  const place = crypto.randomUUID();
  await (await show({ a: 1 }, false, place)).write('{"a": }');
  const again = await show({ a: 1 }, false, place);
  expect([again.field().value, again.box.querySelector('output')?.textContent]).toEqual([
    '{"a": }',
    expect.stringContaining('The flow keeps the value from before.'),
  ]);
  expect((await show({ a: 1 })).field().value).toBe('{\n  "a": 1\n}');
  expect((await show({ a: 2 }, false, place)).field().value).toBe('{\n  "a": 2\n}');
  expect((await show({ a: 1 }, false, place)).field().value).toBe('{\n  "a": 1\n}');
});

it('forgets a wrong text that was corrected', async () => {
  const place = crypto.randomUUID();
  const { write, onValue } = await show(1, false, place);
  await write('{');
  await write('2');
  expect(onValue.mock.calls).toEqual([[2]]);
  expect((await show(1, false, place)).field().value).toBe('1');
});
