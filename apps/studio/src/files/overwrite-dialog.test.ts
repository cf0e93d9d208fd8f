import { createElement } from 'react';
import { expect, it } from 'vitest';
import { outline } from '../testing/outline.ts';
import { check, fire, named, usePage } from '../testing/page.ts';
import { OverwriteDialog } from './overwrite-dialog.tsx';
import type { Upload } from './upload-queue.ts';

const page = usePage();

async function show(question: string, others = 0, path = 'docs/a.txt') {
  const calls: unknown[][] = [];
  const box = await page.show(
    createElement(OverwriteDialog, {
      upload: { path, question } as unknown as Upload,
      others,
      onDecide: (...args) => calls.push(args),
      onClose: () => calls.push(['close']),
    }),
  );
  return { box, calls };
}

it('says whether replacing can be undone', async () => {
  const { box } = await show('exists');
  await expect
    .poll(() => outline(box))
    .toEqual([
      'dialog[aria-describedby=#1-about][aria-labelledby=#1]',
      'h2#1 “” is already there',
      'bdi a.txt',
      'button[title=Close][aria-label=Close][type=button]',
      'icon x 18',
      'p#1-about In . The trash keeps the old file, so you can undo replacing it. “Keep both” gives the new file another name.',
      'bdi docs',
      'button[data-first=true][type=button]',
      'span Keep both',
      'button[type=button]',
      'span Replace',
      'button[type=button]',
      'span Skip',
    ]);
  expect(box.textContent).toContain('“a.txt” is already there');
  expect(box.textContent).toContain('In docs. The trash keeps the old file');
  const final = (await show('not_undoable', 0, 'a.txt')).box;
  expect(final.textContent).toContain('is too large for the trash');
  expect(final.textContent).toContain('cannot be undone');
  expect(final.textContent).not.toContain('In ');
  expect([named(box, 'Replace'), named(final, 'Replace for good')].length).toBe(2);
});

it('begins with the choice that loses nothing, and does what is chosen for this file alone', async () => {
  const { box, calls } = await show('exists');
  expect(box.querySelector('[data-first]')?.textContent).toBe('Keep both');
  expect(box.textContent).not.toContain('Do the same with the others');
  for (const name of ['Keep both', 'Replace', 'Skip', 'Close']) await fire(named(box, name), 'click');
  expect(calls).toEqual([['keep-both', false], ['replace', false], ['skip', false], ['close']]);
});

it('does the same with the others only where that is chosen', async () => {
  const { box, calls } = await show('exists', 2);
  expect(box.textContent).toContain('Do the same with the others');
  await check(box.querySelector('input') as Element);
  await fire(named(box, 'Skip'), 'click');
  expect(calls).toEqual([['skip', true]]);
});

it('offers the same for the others only where there are others', async () => {
  const offered = async (others: number) => (await show('exists', others)).box.textContent.includes('with the others');
  expect([await offered(0), await offered(1)]).toEqual([false, true]);
});
