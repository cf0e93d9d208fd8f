import { createElement } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { useFakeApi } from '../testing/fake-api.ts';
import { outline } from '../testing/outline.ts';
import { fire, named, usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { dismissToasts, Toaster } from '../ui/toast.tsx';
import { KeysPage } from './keys-page.tsx';

const server = useFakeApi();
const page = usePage();
const TITLE = [
  'section[aria-label=API keys]',
  'h2 API keys',
  'p For MCP clients and scripts. A key can do everything that you can, so create one for each program.',
];
beforeEach(dismissToasts);

async function show(...keys: object[]) {
  server.answer('GET /api/v1/keys', { keys });
  const box = await page.show(inClient(testClient())(createElement(KeysPage)));
  await vi.waitFor(() => expect(box.textContent).not.toContain('Loading'));
  return box;
}
const key = (id: string, more: object = {}) => ({
  id,
  name: `Key ${id}`,
  prefix: `croft_${id}`,
  createdAt: '2026-01-01T00:00:00Z',
  lastUsedAt: null,
  ...more,
});

it('revokes exactly the key that was confirmed', async () => {
  const box = await show(key('a'), key('b', { lastUsedAt: '2026-01-02T00:00:00Z' }));
  await expect
    .poll(() => outline(box))
    .toEqual([
      ...TITLE,
      'button[type=button]',
      'span New key',
      'icon plus 17',
      'bdi Key a',
      'p · made Jan 1, 2026 · never used',
      'code croft_a…',
      'button[aria-label=Revoke Key a][type=button]',
      'span Revoke',
      'bdi Key b',
      'p · made Jan 1, 2026 · used Jan 2, 2026',
      'code croft_b…',
      'button[aria-label=Revoke Key b][type=button]',
      'span Revoke',
      'p The address for MCP clients and the configuration of each are under .',
      'a[href=/base/connect] Connect',
    ]);
  expect(box.textContent).toMatch(/croft_a….*never used.*croft_b….*used /);
  server.answer('DELETE /api/v1/keys/b', {});
  await fire(named(box, 'Revoke Key b'), 'click');
  const dialog = () => box.querySelector('dialog');
  expect(dialog()?.textContent).toContain('Revoke “Key b”?');
  await fire(named(dialog() as Element, 'Cancel'), 'click');
  expect([dialog(), server.requests]).toEqual([null, ['GET /api/v1/keys']]);
  await fire(named(box, 'Revoke Key b'), 'click');
  await fire(named(dialog() as Element, 'Revoke'), 'click');
  await vi.waitFor(() =>
    expect(server.requests).toEqual(['GET /api/v1/keys', 'DELETE /api/v1/keys/b', 'GET /api/v1/keys']),
  );
  expect((await page.show(createElement(Toaster))).textContent).toContain('Revoked.');
});

it('asks for a name before it creates a key', async () => {
  const box = await show();
  await expect
    .poll(() => outline(box))
    .toEqual([
      ...TITLE,
      'span[aria-hidden=true]',
      'icon key-round 22',
      'p No keys yet',
      'p With a key, a program can sign in without your password.',
      'button[type=button]',
      'span New key',
      'icon plus 17',
      'p The address for MCP clients and the configuration of each are under .',
      'a[href=/base/connect] Connect',
    ]);
  await fire(named(box, 'New key'), 'click');
  expect(box.querySelector('dialog')?.textContent).toContain('What is it for?');
  await fire(named(box.querySelector('dialog') as Element, 'Cancel'), 'click');
  expect(box.querySelector('dialog')).toBeNull();
  expect(server.requests).toHaveLength(1);
});
