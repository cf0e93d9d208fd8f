import { createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { useFakeApi } from '../testing/fake-api.ts';
import { outline } from '../testing/outline.ts';
import { fire, named, usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { DeletedDialog } from './deleted-dialog.tsx';

const server = useFakeApi();
const page = usePage();
const TITLE = [
  'dialog[aria-describedby=#1-about][aria-labelledby=#1]',
  'h2#1 Recently deleted',
  'button[title=Close][aria-label=Close][type=button]',
  'icon x 18',
  'p#1-about Croft keeps your last 20 deleted flows for 7 days, with their versions and webhooks, and without their schedules.',
];

async function show(...flows: object[]) {
  server.answer('GET /api/v1/deleted-flows', { flows });
  const onRestore = vi.fn(() => Promise.resolve());
  const onClose = vi.fn();
  const box = await page.show(inClient(testClient())(createElement(DeletedDialog, { onRestore, onClose })));
  return { box, onRestore, onClose };
}

it('lists deleted flows, and restores the one that is pressed', async () => {
  const deletedAt = '2026-01-01T00:00:00Z';
  const { box, onRestore, onClose } = await show({ id: 'a', name: 'A', deletedAt }, { id: 'b', name: 'B', deletedAt });
  await vi.waitFor(() => expect(box.querySelectorAll('li').length).toBe(2));
  await expect
    .poll(() => outline(box))
    .toEqual([
      ...TITLE,
      'ul[aria-label=Deleted flows]',
      'bdi A',
      'time 2026-01-01T00:00:00Z',
      'button[aria-label=Restore A][type=button]',
      'span Restore',
      'bdi B',
      'time 2026-01-01T00:00:00Z',
      'button[aria-label=Restore B][type=button]',
      'span Restore',
    ]);
  expect([...box.querySelectorAll('li')].map(({ textContent }) => textContent)).toEqual([
    'ADeleted Jan 1, 2026Restore',
    'BDeleted Jan 1, 2026Restore',
  ]);
  expect([
    box.querySelector('ul')?.getAttribute('aria-label'),
    box.querySelector('time')?.hasAttribute('title'),
  ]).toEqual(['Deleted flows', true]);
  await fire(named(box, 'Restore B'), 'click');
  expect(onRestore.mock.calls).toEqual([[{ id: 'b', name: 'B' }]]);
  await fire(named(box, 'Close'), 'click');
  expect(onClose).toHaveBeenCalledOnce();
});

it('says how long flows are kept, and that none is left', async () => {
  const { box } = await show();
  await expect.poll(() => outline(box)).toEqual([...TITLE, 'p[role=status] Nothing is left to restore.']);
  expect(box.textContent).toContain('Recently deleted');
  expect(box.textContent).toContain(
    'Croft keeps your last 20 deleted flows for 7 days, with their versions and webhooks, and without their schedules.',
  );
  expect(box.querySelector('p[role=status]')?.textContent).toBe('Nothing is left to restore.');
});

it('says in the dialog which flow is restored, or why it is not', async () => {
  const deletedAt = '2026-01-01T00:00:00Z';
  const { box, onRestore } = await show({ id: 'a', name: 'A', deletedAt }, { id: 'b', name: 'B', deletedAt });
  await vi.waitFor(() => expect(box.querySelectorAll('li').length).toBe(2));
  let settle: (error?: Error) => void = () => {};
  onRestore.mockImplementation(
    () => new Promise((resolve, reject) => (settle = (error) => (error ? reject(error) : resolve()))),
  );
  await fire(named(box, 'Restore A'), 'click');
  await expect.poll(() => named(box, 'Restore B').hasAttribute('disabled')).toBe(true);
  await fire(named(box, 'Restore B'), 'click');
  expect(onRestore).toHaveBeenCalledOnce();
  settle(new Error('The server stops.'));
  await expect
    .poll(() => box.querySelector('[role=alert]')?.textContent)
    .toContain('“A” was not restored. The server stops.');
  await fire(named(box, 'Restore B'), 'click');
  settle();
  await expect.poll(() => box.querySelector('p[role=status]')?.textContent).toBe('Restored “B”.');
  expect(box.querySelector('[role=alert]')).toBeNull();
});
