import { act, createElement } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { outline } from '../testing/outline.ts';
import { fire, named, usePage } from '../testing/page.ts';
import { UploadPanel } from './upload-panel.tsx';
import type { Upload, UploadQueue } from './upload-queue.ts';

const page = usePage();
afterEach(() => void vi.useRealTimers());
const item = (id: number, state: Upload['state'], more: Partial<Upload> = {}) =>
  ({ id, path: `d/f${id}.txt`, state, file: { size: 1_000 } as File, sentBytes: 500, ...more }) as Upload;

async function show(...items: Upload[]) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const calls: unknown[][] = [];
  const note =
    (name: string) =>
    (...args: unknown[]) =>
      void calls.push([name, ...args.filter((each) => typeof each !== 'object')]);
  const queue = {
    subscribe: () => () => undefined,
    items: () => items,
    ...Object.fromEntries(
      ['clear', 'cancel', 'cancelAll', 'retry', 'retryAll', 'decide'].map((name) => [name, note(name)]),
    ),
  } as unknown as UploadQueue;
  const box = await page.show(createElement(UploadPanel, { queue }));
  const press = (name: string) => fire(named(box, name), 'click');
  const asks = async () => (await fire(window, 'beforeunload')).defaultPrevented;
  const pass = (ms: number) => act(async () => void vi.advanceTimersByTime(ms));
  return { box, calls, press, asks, pass, title: box.querySelector('[role=status]')?.textContent };
}

it('is absent without uploads', async () => {
  expect((await show()).box.innerHTML).toBe('');
});

it('warns before the page is left while files are sent, and cancels them', async () => {
  const { calls, press, asks, pass, title } = await show(item(1, 'sending'), item(2, 'waiting'), item(3, 'done'));
  expect([title, await asks()]).toEqual(['Uploading 2 of 3', true]);
  await press('Cancel f1.txt');
  await press('Cancel all');
  await pass(60_000);
  expect(calls).toEqual([['cancel', 1], ['cancelAll']]);
});

it('closes by itself only when all were stored', async () => {
  const done = await show(item(1, 'done'), item(2, 'skipped'));
  expect([done.title, await done.asks()]).toEqual(['1 uploaded', false]);
  await done.pass(3_999);
  expect(done.calls).toEqual([]);
  await done.pass(1);
  expect(done.calls).toEqual([['clear']]);
});

it('stays with the reason where a file was not stored, and tries again', async () => {
  const { box, calls, press, pass, title } = await show(
    item(1, 'failed', { problem: 'The disk is full.' }),
    item(2, 'failed'),
  );
  await expect
    .poll(() => outline(box))
    .toEqual([
      'section[aria-label=Uploads]',
      'p[role=status] 2 not uploaded',
      'button[type=button]',
      'span Try all again',
      'button[title=Close the list of uploads][aria-label=Close the list of uploads][type=button]',
      'icon x 16',
      'bdi f1.txt',
      'p The disk is full.',
      'button[title=Try f1.txt again][aria-label=Try f1.txt again][type=button]',
      'icon rotate-cw 16',
      'bdi f2.txt',
      'p The upload failed. Try again.',
      'button[title=Try f2.txt again][aria-label=Try f2.txt again][type=button]',
      'icon rotate-cw 16',
    ]);
  expect([title, box.textContent?.includes('The disk is full.')]).toEqual(['2 not uploaded', true]);
  await pass(60_000);
  await press('Try f2.txt again');
  await press('Try all again');
  await press('Close the list of uploads');
  expect(calls).toEqual([['retry', 2], ['retryAll'], ['clear']]);
});

it('asks about the file whose name is taken, for all that may meet the same question', async () => {
  const asking = item(1, 'asking', { question: 'exists' } as Partial<Upload>);
  const { box, calls, press } = await show(
    asking,
    item(2, 'waiting'),
    item(3, 'asking', { question: 'not_undoable' } as Partial<Upload>),
  );
  await expect
    .poll(() => outline(box, 'dialog'))
    .toEqual([
      'section[aria-label=Uploads]',
      'p[role=status] Uploading 3 of 3',
      'button[type=button]',
      'span Cancel all',
      'div[aria-valuemax=100][aria-valuemin=0][aria-valuenow=0][aria-label=All uploads][role=progressbar]',
      'bdi f1.txt',
      'p A file of this name is there',
      'bdi f2.txt',
      'p Waiting',
      'button[title=Cancel f2.txt][aria-label=Cancel f2.txt][type=button]',
      'icon x 16',
      'bdi f3.txt',
      'p The trash cannot keep the old file',
      'dialog[aria-describedby=#1-about][aria-labelledby=#1]',
    ]);
  expect(box.querySelector('h2')?.textContent).toBe('“f1.txt” is already there');
  expect(box.querySelector('dialog p')?.textContent).toMatch(/^In d\. The trash keeps the old file/);
  expect(box.textContent).toContain('Do the same with the others');
  await press('Keep both');
  await press('Close');
  expect(calls).toEqual([
    ['decide', 1, 'keep-both', false],
    ['cancel', 1],
  ]);
  expect((await show(asking, item(3, 'done'))).box.textContent).not.toContain('with the others');
});

it('lists what needs a person first, where there are too many', async () => {
  const many = Array.from({ length: 70 }, (_, at) => item(at, 'done'));
  const { box } = await show(...many, item(90, 'waiting'), item(99, 'failed'));
  const lines = [...box.querySelectorAll('li')].map(({ textContent }) => textContent ?? '');
  expect([lines.length, lines[0]?.startsWith('f99'), lines[1]?.startsWith('f90'), lines.at(-1)]).toEqual([
    61,
    true,
    true,
    'and 12 more',
  ]);
});

const shares = (box: Element) =>
  [...box.querySelectorAll('[role=progressbar]')].map((each) => [
    each.getAttribute('aria-label'),
    each.getAttribute('aria-valuenow'),
  ]);

it('shows how much of all is sent, and of each file', async () => {
  const { box } = await show(
    item(1, 'sending', { sentBytes: 250 }),
    item(2, 'done'),
    item(3, 'waiting'),
    item(4, 'asking'),
  );
  expect(shares(box)).toEqual([
    ['All uploads', '28'],
    ['Uploading f1.txt', '25'],
  ]);
  const one = await show(item(1, 'sending'));
  expect([shares(one.box), one.box.textContent]).toEqual([[['Uploading f1.txt', '50']], 'Uploading 1 of 1f1.txt']);
  const empty = await show(item(1, 'sending', { file: { size: 0 } as File, sentBytes: 5_000 }), item(2, 'failed'));
  expect(shares(empty.box)).toEqual([
    ['All uploads', '100'],
    ['Uploading f1.txt', '100'],
  ]);
});

it('has a word for each state', async () => {
  const { box } = await show(
    item(1, 'done'),
    item(2, 'done', { file: undefined }),
    item(3, 'cancelled'),
    item(4, 'skipped'),
    item(5, 'waiting'),
    item(6, 'failed', { problem: 'No\u202E.' }),
  );
  expect([...box.querySelectorAll('li')].map(({ textContent }) => textContent)).toEqual([
    'f1.txt1000 B',
    'f2.txtFolder',
    'f3.txtCancelled',
    'f4.txtSkipped',
    'f5.txtWaiting',
    'f6.txtNo[U+202E].',
  ]);
  expect(box.querySelectorAll('li svg')).toHaveLength(4);
});

it('has buttons for all where several files need them', async () => {
  const buttons = async (...items: Upload[]) =>
    [...(await show(...items)).box.querySelectorAll('section > div button')].map(
      (each) => each.getAttribute('aria-label') ?? each.textContent,
    );
  expect(await buttons(item(1, 'sending'))).toEqual([]);
  expect(await buttons(item(1, 'sending'), item(2, 'waiting'))).toEqual(['Cancel all']);
  expect(await buttons(item(1, 'failed'))).toEqual(['Close the list of uploads']);
  expect(await buttons(item(1, 'failed'), item(2, 'failed'), item(3, 'waiting'))).toEqual([]);
});

it('offers another try only for uploads that may succeed', async () => {
  const refused = { problem: 'Access is denied.', isRefused: true } as const;
  const buttons = async (...items: Upload[]) =>
    [...(await show(...items)).box.querySelectorAll('section button')].map(
      (each) => each.getAttribute('aria-label') ?? each.textContent,
    );
  const close = 'Close the list of uploads';
  expect(await buttons(item(1, 'failed', refused), item(2, 'failed', refused))).toEqual([close]);
  expect(await buttons(item(1, 'failed', refused), item(2, 'failed'))).toEqual([
    'Try all again',
    close,
    'Try f2.txt again',
  ]);
});

it('can be scrolled by keys when it is long, and shows sixty lines', async () => {
  const list = async (count: number) => {
    const { box } = await show(...Array.from({ length: count }, (_, at) => item(at, 'done')));
    return [box.querySelector('ul')?.getAttribute('tabindex'), box.querySelectorAll('li').length];
  };
  expect([await list(4), await list(5), await list(60), await list(61)]).toEqual([
    [null, 4],
    ['0', 5],
    ['0', 60],
    ['0', 61],
  ]);
  const many = Array.from({ length: 1_200 }, (_, at) => item(at, 'done'));
  const { box, title } = await show(...many);
  expect([title, box.querySelector('li:last-child')?.textContent]).toEqual(['1,200 uploaded', 'and 1,140 more']);
});
