import { createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { outline } from '../testing/outline.ts';
import { fire, named, type, usePage } from '../testing/page.ts';
import { CodeControl } from './code-control.tsx';

const page = usePage();

async function show(more: object = {}) {
  const onValue = vi.fn();
  const props = { value: 'a', onValue, disabled: false, label: 'Code', language: 'typescript', problems: [], ...more };
  const box = await page.show(createElement(CodeControl, props));
  await vi.waitFor(() => expect(box.querySelector('input')).not.toBeNull());
  return { box, field: box.querySelector('input') as HTMLInputElement, onValue };
}

it('gives the code once the field is left, with its problems', async () => {
  const { box, field, onValue } = await show({ problems: [{ line: 2, message: 'No type.' }] });
  await expect
    .poll(() => outline(box))
    .toEqual([
      'input[type=text][data-types=true][data-tall=false][data-language=typescript][aria-label=Code][value=a]',
      'output 2: No type.',
      'button[type=button]',
      'span Edit in a large window',
      'icon maximize-2 14',
    ]);
  expect([field.value, field.getAttribute('aria-label'), box.querySelector('output')?.textContent]).toEqual([
    'a',
    'Code',
    '2: No type.',
  ]);
  await type(field, 'ab');
  expect(onValue).not.toHaveBeenCalled();
  await fire(field, 'focusout');
  expect(onValue.mock.calls).toEqual([['ab']]);
});

it('checks types of TypeScript alone', async () => {
  const factsOf = async (more: object) => {
    const { field } = await show(more);
    return [field.dataset['types'], field.dataset['language'], field.hasAttribute('disabled'), field.dataset['tall']];
  };
  expect(await factsOf({})).toEqual(['true', 'typescript', false, 'false']);
  expect(await factsOf({ language: 'json', disabled: true })).toEqual(['false', 'json', true, 'false']);
});

it('edits the same draft in a large window', async () => {
  const { box, field, onValue } = await show();
  await type(field, 'ab');
  await fire(named(box, 'Edit in a large window'), 'click');
  const dialog = document.body.querySelector('dialog') as Element;
  await vi.waitFor(() => expect(dialog.querySelector('input')).not.toBeNull());
  const large = dialog.querySelector('input') as HTMLInputElement;
  expect([field.dataset['focused'], large.dataset['focused']]).toEqual([undefined, 'true']);
  expect([dialog.querySelector('h2')?.textContent, large.dataset['tall'], box.querySelector('input')]).toEqual([
    'Code',
    'true',
    null,
  ]);
  await type(large, 'abc');
  await fire(large, 'focusout');
  expect(onValue).toHaveBeenLastCalledWith('abc');
  await fire(named(dialog, 'Close'), 'click');
  expect([document.body.querySelector('dialog'), box.querySelector('input') !== null]).toEqual([null, true]);
});
