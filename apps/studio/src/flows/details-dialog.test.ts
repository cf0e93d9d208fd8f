import { createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { outline } from '../testing/outline.ts';
import { fire, heldResponse, leavable, type, usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { DetailsDialog, type FlowDetails } from './details-dialog.tsx';

const page = usePage();

async function open(onSave: () => Promise<void> = () => Promise.resolve()) {
  const saved: Partial<FlowDetails>[] = [];
  const onClose = vi.fn();
  const props = {
    details: { name: 'Old', description: 'About' },
    onSave: (changed: Partial<FlowDetails>) => {
      saved.push(changed);
      return onSave();
    },
    onClose,
  };
  const { node, leave } = leavable(createElement(DetailsDialog, props));
  const box = await page.show(inClient(testClient())(node));
  const [name, description] = [...box.querySelectorAll('input')] as [HTMLInputElement, HTMLInputElement];
  const submit = () => fire(box.querySelector('form') as Element, 'submit');
  return { box, leave, saved, onClose, name, description, submit };
}

it('saves only what changed', async () => {
  const one = await open();
  await type(one.name, ' New ');
  await one.submit();
  const two = await open();
  await type(two.description, '');
  await two.submit();
  await vi.waitFor(() => expect(two.onClose).toHaveBeenCalledOnce());
  expect([one.saved, two.saved]).toEqual([[{ name: 'New' }], [{ description: '' }]]);
});

it('saves nothing where nothing changed', async () => {
  const { saved, onClose, name, submit } = await open();
  await type(name, 'Old ');
  await submit();
  expect([saved, onClose.mock.calls.length]).toEqual([[], 1]);
});

it('needs a name, and says what failed', async () => {
  const { box, saved, onClose, name, submit } = await open(() => Promise.reject(new Error('Changed meanwhile.')));
  await expect
    .poll(() => outline(box))
    .toEqual([
      'dialog[aria-labelledby=#1]',
      'h2#1 Rename the flow',
      'button[title=Close][aria-label=Close][type=button]',
      'icon x 18',
      'label[for=#2] Name',
      'input#2[maxLength=200][data-first=true][autoComplete=off][value=Old]',
      'p#2-error[role=alert]',
      'label[for=#3] Description',
      'input#3[aria-describedby=#3-hint][maxLength=10000][autoComplete=off][value=About]',
      'p#3-hint The list of flows shows it.',
      'p#3-error[role=alert]',
      'button[type=submit]',
      'span Save',
      'button[type=button]',
      'span Cancel',
    ]);
  await type(name, '  ');
  expect(box.textContent).toContain('A flow needs a name.');
  await submit();
  expect(saved).toEqual([]);
  await type(name, 'New');
  await submit();
  await vi.waitFor(() => expect(box.textContent).toContain('Changed meanwhile.'));
  expect(onClose).not.toHaveBeenCalled();
});

it('closes nothing where it was left before the response', async () => {
  const { response, respond } = heldResponse();
  const { leave, saved, onClose, name, submit } = await open(() => response);
  await type(name, 'New');
  await submit();
  expect(saved).toHaveLength(1);
  await leave();
  await respond();
  expect(onClose).not.toHaveBeenCalled();
});
