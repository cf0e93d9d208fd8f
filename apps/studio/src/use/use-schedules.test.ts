import { createElement } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { act } from 'react';
import { refusal, useFakeApi } from '../testing/fake-api.ts';
import { usePage } from '../testing/page.ts';
import { inClient, isInvalid, testClient } from '../testing/queries.ts';
import { dismissToasts, Toaster } from '../ui/toast.tsx';
import { acceptanceQuery } from './use-acceptance.ts';
import { useSchedules } from './use-schedules.ts';

const server = useFakeApi();
const page = usePage();
beforeEach(dismissToasts);

async function open() {
  const schedules = [
    { id: 's1', flowId: 'f', isOn: false },
    { id: 's2', flowId: 'g', isOn: true },
  ];
  server.answer('GET /api/v1/schedules', { schedules });
  const client = testClient();
  client.setQueryData(acceptanceQuery('f').queryKey, { version: 1 } as never);
  const hook = await page.hook(() => useSchedules('f', 7), inClient(client));
  await vi.waitFor(() => expect(hook.current.schedules).toBeDefined());
  return { hook, client };
}

it('has the schedules of one flow', async () => {
  const { hook } = await open();
  expect(hook.current.schedules?.map(({ id }) => id)).toEqual(['s1']);
});

it('turns a schedule on for the version that the person sees, and reads the acceptance again', async () => {
  const { hook, client } = await open();
  server.answer('PATCH /api/v1/schedules/s1', {});
  server.answer('DELETE /api/v1/schedules/s1', {});
  await act(() => hook.current.setOn('s1', true));
  expect(isInvalid(client, acceptanceQuery('f').queryKey)).toBe(true);
  await act(() => hook.current.remove('s1').then(hook.current.refresh));
  expect(server.requests.filter((each) => !each.startsWith('GET'))).toEqual([
    'PATCH /api/v1/schedules/s1 {"isOn":true,"version":7}',
    'DELETE /api/v1/schedules/s1',
  ]);
  expect(server.requests.filter((each) => each.startsWith('GET'))).toHaveLength(3);
});

it('shows why a schedule was not changed, and the state of the server', async () => {
  const { hook } = await open();
  server.answer('PATCH /api/v1/schedules/s1', refusal(409, 'changed', 'The flow changed.'));
  await act(() => hook.current.setOn('s1', true));
  expect((await page.show(createElement(Toaster))).textContent).toBe('The flow changed.');
  expect(server.requests.filter((each) => each.startsWith('GET'))).toHaveLength(2);
});
