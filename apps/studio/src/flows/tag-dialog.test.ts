import { createElement } from 'react';
import { expect, it, vi } from 'vitest';
import type { FlowSummary } from '../api/flows.ts';
import { outline } from '../testing/outline.ts';
import { fire, heldResponse, leavable, named, type, usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { TagDialog } from './tag-dialog.tsx';

const page = usePage();

async function open(
  known: readonly string[] = [],
  onSave: (tags: readonly string[]) => Promise<void> = () => Promise.resolve(),
) {
  const saved: (readonly string[])[] = [];
  const onClose = vi.fn();
  const props = {
    flow: { name: 'F', tags: ['a', 'b'] } as unknown as FlowSummary,
    known,
    onSave: (tags: readonly string[]) => {
      saved.push(tags);
      return onSave(tags);
    },
    onClose,
  };
  const { node, leave } = leavable(createElement(TagDialog, props));
  const box = await page.show(inClient(testClient())(node));
  const input = box.querySelector('input') as HTMLInputElement;
  const submit = () => fire(box.querySelector('form') as Element, 'submit');
  const offered = () =>
    [...box.querySelectorAll('button')].map(({ textContent }) => textContent).filter((each) => each.startsWith('Add '));
  return { box, leave, saved, onClose, input, submit, offered };
}

it('saves each tag once, without spaces and empty ones', async () => {
  const { saved, onClose, input, submit } = await open();
  await type(input, ' x y , z,, z ,');
  await submit();
  await vi.waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(saved).toEqual([['x y', 'z']]);
});

it('begins with the tags of the flow, and offers others', async () => {
  const { box, saved, submit, offered } = await open(['a', 'c']);
  await expect
    .poll(() => outline(box))
    .toEqual([
      'dialog[aria-labelledby=#1]',
      'h2#1 Tags of “F”',
      'button[title=Close][aria-label=Close][type=button]',
      'icon x 18',
      'label[for=#2] Tags',
      'input#2[aria-describedby=#2-hint][data-first=true][autoComplete=off][value=a, b]',
      'p#2-hint Separate them with commas. Everyone who can open the flow sees them.',
      'p#2-error[role=alert]',
      'button[type=button]',
      'span Add c',
      'button[type=submit]',
      'span Save tags',
      'button[type=button]',
      'span Cancel',
    ]);
  expect(offered()).toEqual(['Add c']);
  await fire(named(box, 'Add c'), 'click');
  expect(offered()).toEqual([]);
  await submit();
  expect(saved).toEqual([['a', 'b', 'c']]);
});

it('offers twelve tags at most', async () => {
  expect((await open(Array.from({ length: 20 }, (_, at) => `t${at}`))).offered()).toHaveLength(12);
});

it('stays open and says what failed', async () => {
  const { box, onClose, submit } = await open([], () => Promise.reject(new Error('It is too long.')));
  await submit();
  await vi.waitFor(() => expect(box.textContent).toContain('It is too long.'));
  expect(onClose).not.toHaveBeenCalled();
});

it('closes nothing where it was left before the response', async () => {
  const { response, respond } = heldResponse();
  const { leave, saved, onClose, input, submit } = await open([], () => response);
  await type(input, 'c');
  await submit();
  expect(saved).toHaveLength(1);
  await leave();
  await respond();
  expect(onClose).not.toHaveBeenCalled();
});
