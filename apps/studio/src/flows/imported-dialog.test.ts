import { createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { outline } from '../testing/outline.ts';
import { fire, named, usePage } from '../testing/page.ts';
import { ImportedDialog } from './imported-dialog.tsx';

const page = usePage();
type Props = Parameters<typeof ImportedDialog>[0];

async function show(...messages: string[]) {
  const [onOpen, onClose] = [vi.fn(), vi.fn()];
  const findings = messages.map((message) => ({ message, fix: 'look at it' })) as unknown as Props['findings'];
  const flow = { name: 'Chat' } as Props['flow'];
  return { box: await page.show(createElement(ImportedDialog, { flow, findings, onOpen, onClose })), onOpen, onClose };
}

it('lists what an import could not map, and opens the flow', async () => {
  const { box, onOpen, onClose } = await show('one is unknown', 'two has no model');
  await expect
    .poll(() => outline(box))
    .toEqual([
      'dialog[aria-describedby=#1-about][aria-labelledby=#1]',
      'h2#1 Imported “”',
      'bdi Chat',
      'button[title=Close][aria-label=Close][type=button]',
      'icon x 18',
      'p#1-about 2 parts need your attention before the flow runs as it did elsewhere. Nothing was lost: Croft keeps the parts that it does not know.',
      'ul[tabindex=0][aria-label=Parts that need attention]',
      'p one is unknown.',
      'p look at it.',
      'p two has no model.',
      'p look at it.',
      'button[data-first=true][type=button]',
      'span Open flow',
      'button[type=button]',
      'span Close',
    ]);
  expect(box.querySelector('h2')?.textContent).toBe('Imported “Chat”');
  expect(box.textContent).toContain(
    '2 parts need your attention before the flow runs as it did elsewhere. Nothing was lost: Croft keeps the parts that it does not know.',
  );
  expect(box.querySelector('ul')?.getAttribute('aria-label')).toBe('Parts that need attention');
  expect([...box.querySelectorAll('li')].map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/^one is unknown\.look at it\.$/i),
    expect.stringMatching(/^two has no model\.look at it\.$/i),
  ]);
  expect(named(box, 'Open flow').hasAttribute('data-first')).toBe(true);
  await fire(named(box, 'Open flow'), 'click');
  expect([onOpen.mock.calls.length, onClose.mock.calls.length]).toEqual([1, 0]);
  for (const button of [...box.querySelectorAll('button')].filter((each) => each.textContent === 'Close'))
    await fire(button, 'click');
  expect(onClose).toHaveBeenCalledOnce();
});

it('counts one part', async () => {
  expect((await show('it')).box.textContent).toContain('One part needs your attention');
});
