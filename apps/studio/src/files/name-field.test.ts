import { createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { ApiError } from '../api/request.ts';
import { outline } from '../testing/outline.ts';
import { fire, type, usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { NameField, useName } from './name-field.tsx';

const page = usePage();

async function open(save: (name: string) => Promise<unknown>, before = 'a.txt') {
  const onSaved = vi.fn();
  const Form = () => {
    const { field, submit, isSaving } = useName(before, save, onSaved);
    return createElement('form', { onSubmit: submit }, createElement(NameField, field), isSaving ? 'saving' : '');
  };
  const box = await page.show(inClient(testClient())(createElement(Form)));
  const input = box.querySelector('input') as HTMLInputElement;
  const submit = () => fire(box.querySelector('form') as Element, 'submit');
  const problem = () => box.querySelector('[role=alert]')?.textContent;
  return { box, onSaved, input, submit, problem };
}

it('refuses a wrong name before it is sent, until it is changed', async () => {
  const saved: string[] = [];
  const { onSaved, input, submit, problem } = await open(async (name) => void saved.push(name));
  await type(input, 'a/b');
  await submit();
  expect([problem() !== '', saved]).toEqual([true, []]);
  await type(input, 'ab');
  expect(problem()).toBe('');
  await submit();
  await vi.waitFor(() => expect(onSaved).toHaveBeenCalledOnce());
  expect(saved).toEqual(['ab']);
});

it.each([
  [new ApiError('exists', 'x', 409), 'This name is taken. Choose another.'],
  [new ApiError('quota', 'The disk is full.', 507), 'The disk is full.'],
])('shows why the server refused a name: %s', async (error, text) => {
  const { onSaved, submit, problem } = await open(() => Promise.reject(error));
  await submit();
  await vi.waitFor(() => expect(problem()).toBe(text));
  expect(onSaved).not.toHaveBeenCalled();
});

it('saves once', async () => {
  const save = vi.fn(() => new Promise(() => undefined));
  const { box, submit } = await open(save);
  await expect
    .poll(() => outline(box))
    .toEqual([
      'label[for=#1] Name',
      'input#1[spellCheck=false][data-first=true][autoComplete=off][value=a.txt]',
      'p#1-error[role=alert]',
    ]);
  await submit();
  await vi.waitFor(() => expect(box.textContent).toContain('saving'));
  await submit();
  expect(save).toHaveBeenCalledOnce();
});
