import { act, createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { navigate } from '../routing/location.ts';
import { useFakeApi } from '../testing/fake-api.ts';
import { fire, named, usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { dismissToasts } from '../ui/toast.tsx';
import { UsePage } from './use-page.tsx';

const server = useFakeApi();
const page = usePage();

interface Setup {
  autoLogin?: boolean;
  role?: string;
  access?: string;
  types?: readonly string[];
  components?: readonly object[];
}
async function show({ autoLogin = false, role = 'admin', access = 'owner', types = [], components = [] }: Setup = {}) {
  await act(async () => navigate('/flows/f1/use'));
  server.answer('GET /api/v1/flow-components', { components });
  const nodes = types.map((type) => ({ id: type, type, position: { x: 0, y: 0 }, values: {} }));
  const document = { nodes, edges: [], notes: [], groups: [] };
  server.answer('GET /api/v1/flows/f1', { flow: { id: 'f1', name: 'Daily', version: 1, access, document } });
  server.answer('GET /api/v1/webhooks', { webhooks: [] });
  const me = { autoLogin, user: { id: 'u', role } } as unknown as Parameters<typeof UsePage>[0]['me'];
  const box = await page.show(inClient(testClient())(createElement(UsePage, { me })));
  await vi.waitFor(() => expect(box.querySelector('h1')?.textContent).toBe('Daily'));
  await vi.waitFor(() => expect(box.textContent).toContain('No webhooks'));
  return { box, cards: [...box.querySelectorAll('section')].map((card) => card.getAttribute('aria-label')) };
}

it('has every way to use a flow for an administrator who owns it', async () => {
  const { box, cards } = await show();
  expect(box.querySelector('[aria-current=page]')?.textContent).toBe('Use it');
  expect(cards).toEqual(expect.arrayContaining(['Use it from code', 'Tool for agents', 'Webhooks', 'Schedules']));
  const fewer = (await show({ role: 'user' })).cards;
  expect([cards.length - fewer.length, (await show({ autoLogin: true })).cards.length < cards.length]).toEqual([
    1,
    true,
  ]);
});

it('has only code, webhooks, schedules and the export for a flow of another user', async () => {
  expect((await show({ access: 'edit', autoLogin: true })).cards).toEqual([
    'Use it from code',
    'Webhooks',
    'Schedules',
    'Export',
  ]);
});

it('exports the flow', async () => {
  const { box } = await show();
  server.answer('GET /api/v1/flows/f1/export', { document: {}, removed: [] });
  const made = vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:1');
  vi.spyOn(URL, 'revokeObjectURL').mockReturnValue();
  await fire(named(box, 'Export'), 'click');
  await vi.waitFor(() => expect(made).toHaveBeenCalledOnce());
  expect(server.requests).toContain('GET /api/v1/flows/f1/export');
  vi.restoreAllMocks();
  dismissToasts();
});

it('says that no component takes requests, only where that is so', async () => {
  const says = async (types: readonly string[]) =>
    (await show({ types })).box.textContent.includes('no component Webhook');
  expect([await says([]), await says(['Webhook'])]).toEqual([true, false]);
});

it('says of a flow that asks a person that times of a schedule may be skipped', async () => {
  const about = async (effects: readonly string[]) => {
    const components = [{ type: 'HumanApproval', effects, fields: [], inputs: [], outputs: [] }];
    const { box } = await show({ types: ['HumanApproval'], components });
    return box.querySelector('section[aria-label=Schedules]')?.textContent;
  };
  expect(await about(['wait'])).toContain('This flow asks a person');
  expect(await about([])).not.toContain('This flow asks a person');
});
