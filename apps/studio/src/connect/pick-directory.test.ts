import { act, createElement } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { useFakeApi } from '../testing/fake-api.ts';
import { outline } from '../testing/outline.ts';
import { fire, named, type, usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { PickDirectory } from './pick-directory.tsx';

const server = useFakeApi();
const page = usePage();
afterEach(() => void vi.useRealTimers());

async function show(props: object = {}) {
  const [onPick, onCancel] = [vi.fn(), vi.fn()];
  server.answer('POST /api/v1/local-access/picking', { picking: 'p' });
  server.answer('POST /api/v1/local-access/directories', {
    path: '/home',
    parent: '/',
    directories: ['me'],
    truncated: false,
  });
  const element = createElement(PickDirectory, { busy: false, problem: undefined, onPick, onCancel, ...props });
  const box = await page.show(inClient(testClient())(element));
  await vi.waitFor(() => expect(box.textContent).toContain('/home'));
  const input = box.querySelector('input') as HTMLInputElement;
  return { box, input, onPick, onCancel, submit: () => fire(box.querySelector('form') as Element, 'submit') };
}

it('takes a typed path without spaces around it, and nothing else', async () => {
  const { box, input, onPick, onCancel, submit } = await show();
  await expect
    .poll(() => outline(box, '[role=group]'))
    .toEqual([
      'label[for=#1] Directory',
      'input#1[aria-describedby=#1-hint][placeholder=/home/me/projects][spellCheck=false][required][autoComplete=off]',
      'p#1-hint Choose it below, or type its full path. Agents cannot read passwords and keys in known places.',
      'p#1-error[role=alert]',
      'div[aria-label=Directories in /home][tabindex=-1][role=group]',
      'button[type=submit]',
      'span Let agents read it',
      'button[type=button]',
      'span Cancel',
    ]);
  expect(box.textContent).toContain(
    'DirectoryChoose it below, or type its full path. Agents cannot read passwords and keys in known places.',
  );
  expect(input.getAttribute('placeholder')).toBe('/home/me/projects');
  expect((await submit()).defaultPrevented).toBe(true);
  await type(input, '  ');
  await submit();
  expect(onPick).not.toHaveBeenCalled();
  await type(input, ' /home/me ');
  await submit();
  expect(onPick.mock.calls).toEqual([['/home/me']]);
  await fire(named(box, 'Cancel'), 'click');
  expect(onCancel).toHaveBeenCalledOnce();
});

it('takes nothing while it is busy, and shows what went wrong', async () => {
  const { box, input, onPick, submit } = await show({ busy: true, problem: 'It is a file.' });
  await type(input, '/home');
  await submit();
  expect([onPick.mock.calls, box.textContent.includes('It is a file.')]).toEqual([[], true]);
});

it('takes a directory of the list', async () => {
  const { box, input, onPick, submit } = await show();
  await fire(named(box, 'me'), 'click');
  expect(input.value).toBe('/home/me');
  await vi.waitFor(() => expect(server.requests.at(-1)).toContain('"path":"/home/me"'));
  await submit();
  expect(onPick.mock.calls).toEqual([['/home/me']]);
});

it('lists a typed whole path after a pause', async () => {
  const { input } = await show();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  await type(input, 'home');
  await act(async () => void vi.advanceTimersByTime(1_000));
  await type(input, '/srv');
  const before = server.requests.length;
  await act(async () => void vi.advanceTimersByTime(349));
  expect(server.requests.length).toBe(before);
  await act(async () => void vi.advanceTimersByTime(1));
  vi.useRealTimers();
  await vi.waitFor(() => expect(server.requests.slice(before).join()).toContain('"path":"/srv"'));
});

it.each([
  ['/', true],
  ['c:', true],
  ['C:\\', true],
  ['/home', false],
  ['C:\\x', false],
])('warns at %s of the whole disk: %s', async (path, isWhole) => {
  const { box, input } = await show();
  await type(input, path);
  expect(
    box.textContent.includes(
      'This is the whole disk. Agents can read every file that Croft can read, except protected files.',
    ),
  ).toBe(isWhole);
});
