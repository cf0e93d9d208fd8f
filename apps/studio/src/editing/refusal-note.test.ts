import { ReactFlowProvider } from '@xyflow/react';
import { createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { outline } from '../testing/outline.ts';
import { fire, named, usePage } from '../testing/page.ts';
import { RefusalNote } from './refusal-note.tsx';

const page = usePage();
type Refusal = Parameters<typeof RefusalNote>[0]['refusal'];

async function show(offer?: object) {
  const [onTake, onClose] = [vi.fn(), vi.fn()];
  const refusal = { sentence: 'Rows are no text.', offer } as unknown as Refusal;
  const note = createElement(RefusalNote, { refusal, onTake, onClose });
  return { box: await page.show(createElement(ReactFlowProvider, { children: note })), onTake, onClose };
}

it('says why, and takes what would work', async () => {
  const edits = [{ kind: 'x' }];
  const { box, onTake, onClose } = await show({ label: 'Add a parser between', edits });
  await expect
    .poll(() => outline(box))
    .toEqual([
      'div[role=alert]',
      'span[aria-hidden=true]',
      'icon circle-exclamation-point 16',
      'p Rows are no text.',
      'button[title=Close][aria-label=Close][type=button]',
      'icon x 15',
      'button[type=button]',
      'span Add a parser between',
    ]);
  expect(box.querySelector('[role=alert]')?.textContent).toBe('Rows are no text.Add a parser between');
  await fire(named(box, 'Add a parser between'), 'click');
  expect([onTake.mock.calls, onClose.mock.calls]).toEqual([[[edits]], []]);
  await fire(named(box, 'Close'), 'click');
  expect(onClose).toHaveBeenCalledOnce();
});

it('offers nothing where nothing would work', async () => {
  expect((await show()).box.textContent).toBe('Rows are no text.');
});
