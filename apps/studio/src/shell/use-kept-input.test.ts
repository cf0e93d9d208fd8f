import { act } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { memoryStorage } from '../assistant/fake-assistant-server.ts';
import { forgetUser } from '../assistant/forget-user.ts';
import { usePage } from '../testing/page.ts';
import { inClient, signedInClient, testClient } from '../testing/queries.ts';
import { useKeptInput } from './use-kept-input.ts';

const page = usePage();
beforeEach(() => void vi.stubGlobal('sessionStorage', memoryStorage()));

async function open(name: string, client = signedInClient('u1')) {
  const hook = await page.hook(() => useKeptInput(name, ''), inClient(client));
  return { value: () => hook.current[0], set: (next: string) => act(() => hook.current[1](next)), leave: hook.leave };
}

it('keeps a text of one user for the next visit of the page', async () => {
  const first = await open('a');
  expect(first.value()).toBe('');
  first.set('text');
  expect(first.value()).toBe('text');
  first.leave();
  expect((await open('a')).value()).toBe('text');
  expect([(await open('b')).value(), (await open('a', signedInClient('u2'))).value(), sessionStorage.length]).toEqual([
    '',
    '',
    1,
  ]);
});

it('keeps nothing of an empty text, without a user, or after a sign-out', async () => {
  const { set } = await open('a');
  set('text');
  set('');
  expect(sessionStorage.length).toBe(0);
  const visitor = await open('a', testClient());
  visitor.set('text');
  expect([visitor.value(), sessionStorage.length]).toEqual(['text', 0]);
  set('text');
  forgetUser('u1', () => sessionStorage);
  expect(sessionStorage.length).toBe(0);
});

it('works without a storage, and with one that does not have JSON', async () => {
  sessionStorage.setItem('croft-input-a:u1', '{');
  expect((await open('a')).value()).toBe('');
  vi.stubGlobal('sessionStorage', {
    getItem: () => null,
    setItem() {
      throw new DOMException('full', 'QuotaExceededError');
    },
  });
  const { set, value } = await open('a');
  set('text');
  expect(value()).toBe('text');
});

it('takes a text along when the input gets another name, and leaves nothing under the one before', async () => {
  let name = 'new chat';
  const hook = await page.hook(() => useKeptInput(name, ''), inClient(signedInClient('u1')));
  act(() => hook.current[1]('typed'));
  name = 'stored chat';
  act(() => hook.current[1]('typed on'));
  hook.leave();
  expect([(await open('new chat')).value(), (await open('stored chat')).value()]).toEqual(['', 'typed on']);
});
