import { createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { useFakeApi } from '../testing/fake-api.ts';
import { useFakeUploads } from '../testing/fake-upload.ts';
import { outline } from '../testing/outline.ts';
import { fire, named, type, usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { FileControl, pathText } from './file-control.tsx';

const server = useFakeApi();
useFakeUploads();
const page = usePage();

it.each([
  [null, ''],
  [[], ''],
  ['a.csv', 'a.csv'],
  [['a.csv'], 'a.csv'],
  [['a.csv', 'b.csv'], '["a.csv","b.csv"]'],
])('shows the files %j as %j', (value, text) => {
  expect(pathText(value)).toBe(text);
});

it('hands on a path that is typed, and one that is chosen', async () => {
  const entries = [{ path: 'b.csv', name: 'b.csv', type: 'file', size: null, modifiedAt: null }];
  server.answer('GET /api/v1/files', { entries, truncated: false });
  const onValue = vi.fn();
  const control = { id: 'f', 'aria-describedby': 'hint', 'aria-invalid': undefined };
  const props = { control, value: 'a.csv', onValue, required: true, placeholder: 'Path', onBlur: vi.fn() };
  const box = await page.show(inClient(testClient())(createElement(FileControl, props)));
  await expect
    .poll(() => outline(box))
    .toEqual([
      'input[spellCheck=false][autoComplete=off][placeholder=Path][required][aria-describedby=hint][value=a.csv]',
      'button[title=Choose a file][aria-label=Choose a file][type=button]',
      'icon folder-open 17',
    ]);
  await type(box.querySelector('input') as Element, 'x');
  await fire(named(box, 'Choose a file'), 'click');
  const dialog = () => document.querySelector('dialog') as Element;
  await vi.waitFor(() => expect(dialog().textContent).toContain('b.csv'));
  await fire(named(dialog(), 'Cancel'), 'click');
  expect(dialog()).toBeNull();
  await fire(named(box, 'Choose a file'), 'click');
  await vi.waitFor(() => expect(dialog().textContent).toContain('b.csv'));
  await fire(named(dialog(), 'b.csv'), 'click');
  expect([dialog(), onValue.mock.calls]).toEqual([
    null,
    [
      ['x', false],
      ['b.csv', true],
    ],
  ]);
});

it('cannot be changed while it is disabled', async () => {
  const props = { control: { id: 'f' }, value: '', onValue: vi.fn(), disabled: true };
  const box = await page.show(createElement(FileControl, props as never));
  expect([...box.querySelectorAll('[disabled]')].map(({ localName }) => localName)).toEqual(['input', 'button']);
});
