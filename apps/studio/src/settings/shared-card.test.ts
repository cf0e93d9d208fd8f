import { createElement } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { sharedMountQuery } from '../api/shared-mount.ts';
import { refusal, settle, useFakeApi } from '../testing/fake-api.ts';
import { outline } from '../testing/outline.ts';
import { usePage, check } from '../testing/page.ts';
import { inClient, isInvalid, testClient } from '../testing/queries.ts';
import { dismissToasts, Toaster } from '../ui/toast.tsx';
import { SharedCard } from './shared-card.tsx';

const server = useFakeApi();
const page = usePage();
beforeEach(dismissToasts);

async function show() {
  server.answer('GET /api/v1/shared-mount', { mode: 'off' });
  const client = testClient();
  client.setQueryData(['files', 'list', ''], {});
  const box = await page.show(inClient(client)(createElement(SharedCard)));
  await vi.waitFor(() => expect(box.textContent).toContain('see only their own files'));
  const pick = (label: string) => {
    const found = [...box.querySelectorAll('label')].find(
      ({ textContent }) => textContent === label,
    ) as HTMLLabelElement;
    return check((found.querySelector('input') ?? document.getElementById(found.getAttribute('for') ?? '')) as Element);
  };
  return { client, box, pick };
}

it('says what a mode lets users do, and sets it', async () => {
  const { client, box, pick } = await show();
  await expect
    .poll(() => outline(box))
    .toEqual([
      'section[aria-label=Shared folder]',
      'h2 Shared folder',
      'p One folder for all users, shown as shared/ among the files of each.',
      'legend Shared folder',
      'label Off',
      'input[name=#1][type=radio][checked]',
      'label Read only',
      'input[name=#1][type=radio]',
      'label Read and write',
      'input[name=#1][type=radio]',
      'p[role=status] Users and their agents see only their own files.',
    ]);
  server.answer('PUT /api/v1/shared-mount', { mode: 'write' });
  await pick('Read and write');
  await vi.waitFor(() => expect(server.requests).toContain('PUT /api/v1/shared-mount {"mode":"write"}'));
  await vi.waitFor(() => expect(isInvalid(client, ['files', 'list', ''])).toBe(true));
  expect(box.textContent).toContain('can read, change and delete the files');
});

it('keeps the new mode where an older response arrives after it', async () => {
  const { client, box, pick } = await show();
  let arrive = () => {};
  const late = new Promise((resolve) => {
    arrive = () => resolve({ mode: 'off' });
  });
  server.answer('GET /api/v1/shared-mount', () => late);
  const looking = client.refetchQueries({ queryKey: sharedMountQuery.queryKey });
  await vi.waitFor(() => expect(server.requests.filter((each) => each.startsWith('GET'))).toHaveLength(2));
  server.answer('PUT /api/v1/shared-mount', { mode: 'write' });
  await pick('Read and write');
  await vi.waitFor(() => expect(isInvalid(client, ['files', 'list', ''])).toBe(true));
  arrive();
  await looking;
  await settle();
  expect(box.textContent).toContain('can read, change and delete the files');
});

it('shows the mode of the server where it was not changed', async () => {
  const { box, pick } = await show();
  server.answer('PUT /api/v1/shared-mount', refusal(403, 'forbidden', 'Only administrators may.'));
  await pick('Read only');
  const toasts = await page.show(createElement(Toaster));
  await vi.waitFor(() => expect(toasts.textContent).toBe('Only administrators may.'));
  await vi.waitFor(() => expect(box.textContent).toContain('see only their own files'));
});
