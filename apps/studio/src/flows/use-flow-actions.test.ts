import { emptyFlow } from '@croft/flow';
import { act, createElement } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { flowQuery, type FlowSummary, type FlowTemplate, leavingFlows } from '../api/flows.ts';
import { assistantRequests } from '../assistant/open-assistant.ts';
import { refusal, useFakeApi } from '../testing/fake-api.ts';
import { useFakeUploads } from '../testing/fake-upload.ts';
import { fire, named, usePage } from '../testing/page.ts';
import { inClient, isInvalid, testClient } from '../testing/queries.ts';
import { dismissToasts, Toaster } from '../ui/toast.tsx';
import { useFlowActions } from './use-flow-actions.ts';

const server = useFakeApi();
const uploads = useFakeUploads();
const page = usePage();
beforeEach(dismissToasts);
afterEach(() => leavingFlows.clear());

const LIST = ['flows', 'list', '', ''];
const row = (id: string) => ({ id, name: `Flow ${id}`, version: 1, access: 'owner' }) as FlowSummary;
const full = (id: string, nodes: object[] = []) => ({ ...row(id), document: { ...emptyFlow('f'), nodes } });

async function open() {
  const client = testClient();
  client.setQueryData(LIST, { pages: [{ flows: [row('a'), row('b')] }], pageParams: [''] });
  const { current } = await page.hook(useFlowActions, inClient(client));
  const listed = () =>
    client
      .getQueryData<{ pages: { flows: FlowSummary[] }[] }>(LIST)
      ?.pages.flatMap(({ flows }) => flows.map(({ id }) => id));
  const sent = () => server.requests.filter((each) => !each.startsWith('GET'));
  return { client, actions: current, listed, sent };
}
const toasts = () => page.show(createElement(Toaster));
const path = () => `${location.pathname}${location.search}`;

it('opens the untouched empty flow again, and creates one where there is none', async () => {
  const { client, actions, sent } = await open();
  server.answer('GET /api/v1/flows', { flows: [{ ...row('u'), name: 'Untitled flow' }] });
  server.answer('GET /api/v1/flows/u', { flow: full('u') });
  server.answer('GET /api/v1/agentic/sessions?flow_id=u', { sessions: [] });
  await act(() => actions.create());
  expect([path(), sent()]).toEqual(['/base/flows/u', []]);
  expect([client.getQueryData(flowQuery('u').queryKey), isInvalid(client, LIST)]).toEqual([full('u'), true]);
  server.answer('GET /api/v1/flows/u', { flow: full('u', [{ id: 'n' }]) });
  server.answer('POST /api/v1/flows', { flow: full('new') });
  await act(() => actions.create());
  expect([path(), sent()]).toEqual(['/base/flows/new', ['POST /api/v1/flows {}']]);
});

it('opens no empty flow with a conversation as a new one', async () => {
  const { actions } = await open();
  server.answer('GET /api/v1/flows', { flows: [{ ...row('u'), name: 'Untitled flow' }] });
  server.answer('GET /api/v1/flows/u', { flow: full('u') });
  server.answer('GET /api/v1/agentic/sessions?flow_id=u', { sessions: [{ id: 's' }] });
  server.answer('POST /api/v1/flows', { flow: full('new') });
  await act(() => actions.create());
  expect(path()).toBe('/base/flows/new');
});

it.each([
  { ...row('u'), name: 'My flow' },
  { ...row('u'), name: 'Untitled flow', version: 2 },
  { ...row('u'), name: 'Untitled flow', access: 'viewer' },
])('does not open %j in place of a new flow', async (found) => {
  const { actions } = await open();
  server.answer('GET /api/v1/flows', { flows: [found] });
  server.answer('GET /api/v1/flows/u', { flow: full('u') });
  server.answer('GET /api/v1/agentic/sessions', { sessions: [] });
  server.answer('POST /api/v1/flows', { flow: full('new') });
  await act(() => actions.create());
  expect(path()).toBe('/base/flows/new');
});

const template = (more: object) => ({ name: 't', files: {}, input: null, ...more }) as unknown as FlowTemplate;

it('stores the files of a template without replacing any, and opens its trigger', async () => {
  const { actions } = await open();
  server.answer('POST /api/v1/flows', {
    flow: full('t', [
      { id: 'x', type: 'T' },
      { id: 'w', type: 'Webhook' },
    ]),
  });
  const creating = actions.create(template({ files: { 'a.csv': '1', 'b.csv': '2' } }));
  await vi.waitFor(() => expect(uploads).toHaveLength(1));
  expect(new URL(uploads[0]?.url ?? '').search).toBe('?path=a.csv&overwrite=0&permanent=0&by=template');
  uploads[0]?.end(409, '{"error":{"code":"exists","message":"x"}}');
  await vi.waitFor(() => expect(uploads).toHaveLength(2));
  uploads[1]?.end(201, '{}');
  await act(() => creating);
  expect([path(), server.requests.includes('POST /api/v1/flows {"template":"t"}')]).toEqual([
    '/base/flows/t?component=w',
    true,
  ]);
});

it('creates no flow where a file of its template cannot be stored', async () => {
  const { actions, sent } = await open();
  const creating = actions.create(template({ files: { 'a.csv': '1' } }));
  const failed = expect(creating).rejects.toMatchObject({ code: 'quota' });
  await vi.waitFor(() => expect(uploads).toHaveLength(1));
  uploads[0]?.end(507, '{"error":{"code":"quota","message":"x"}}');
  await failed;
  expect(sent()).toEqual([]);
});

it('fills the message with which a template can be tried into its chat input', async () => {
  const { actions, sent } = await open();
  server.answer('POST /api/v1/flows', {
    flow: full('t', [
      { id: 'i', type: 'TextInput' },
      { id: 'c', type: 'ChatInput' },
    ]),
  });
  server.answer('POST /api/v1/flows/t/edits', {});
  server.answer('GET /api/v1/flows/t', { flow: full('t') });
  await act(() => actions.create(template({ input: 'Try me' })));
  expect(sent()[1]).toBe(
    'POST /api/v1/flows/t/edits {"base":1,"edits":[{"kind":"configure","id":"c","values":{"input_value":"Try me"}}]}',
  );
  expect(path()).toBe('/base/flows/t');
});

it('opens an empty flow with the assistant, or says what failed', async () => {
  const { actions } = await open();
  server.answer('GET /api/v1/flows', { flows: [] });
  server.answer('POST /api/v1/flows', refusal(403, 'quota', 'You have too many flows.'));
  const before = assistantRequests.get();
  await act(() => actions.describe());
  expect([(await toasts()).textContent, assistantRequests.get() - before]).toEqual(['You have too many flows.', 0]);
  server.answer('POST /api/v1/flows', { flow: full('new') });
  await act(() => actions.describe());
  expect([path(), assistantRequests.get() - before]).toEqual(['/base/flows/new', 1]);
});

it('takes a flow that is deleted out of the lists at once, and offers to restore it', async () => {
  const { client, actions, listed, sent } = await open();
  client.setQueryData(flowQuery('a').queryKey, full('a') as never);
  let answer: (value: unknown) => void = () => undefined;
  server.answer('DELETE /api/v1/flows/a', () => new Promise((resolve) => (answer = resolve)));
  const removing = actions.remove(row('a'));
  await vi.waitFor(() => expect(sent()).toEqual(['DELETE /api/v1/flows/a']));
  expect([listed(), [...leavingFlows]]).toEqual([['b'], ['a']]);
  await act(async () => {
    answer({ isRestorable: true });
    await removing;
  });
  expect([[...leavingFlows], client.getQueryData(flowQuery('a').queryKey), isInvalid(client, LIST)]).toEqual([
    [],
    undefined,
    true,
  ]);
  const box = await toasts();
  expect(box.textContent).toContain('Deleted “Flow a”.');
  server.answer('POST /api/v1/deleted-flows/a/restore', {});
  await fire(named(box, 'Undo'), 'click');
  await vi.waitFor(() => expect(box.textContent).toContain('Restored “Flow a”.'));
});

it('says that a flow is deleted for good, or why it was not deleted', async () => {
  const { client, actions } = await open();
  server.answer('DELETE /api/v1/flows/a', { isRestorable: false });
  await act(() => actions.remove(row('a')));
  expect((await toasts()).textContent).toBe('Deleted “Flow a” for good: it is too large to be kept.');
  dismissToasts();
  server.answer('DELETE /api/v1/flows/b', refusal(403, 'forbidden', 'It belongs to another user.'));
  await act(() => actions.remove(row('b')));
  expect([(await toasts()).textContent, [...leavingFlows], isInvalid(client, LIST)]).toEqual([
    'It belongs to another user.',
    [],
    true,
  ]);
});

it('renames, tags and duplicates a flow', async () => {
  const { client, actions, sent } = await open();
  client.setQueryData(flowQuery('a').queryKey, full('a') as never);
  server.answer('POST /api/v1/flows/a/edits', {});
  server.answer('PUT /api/v1/flows/a/tags', {});
  server.answer('POST /api/v1/flows/a/duplicate', { flow: full('copy') });
  await act(() => actions.rename(row('a'), { name: 'New' }));
  expect(isInvalid(client, flowQuery('a').queryKey)).toBe(true);
  await act(() => actions.setTags(row('a'), ['x']));
  await act(() => actions.duplicate(row('a')));
  expect(sent()).toEqual([
    'POST /api/v1/flows/a/edits {"base":1,"edits":[{"kind":"set_details","name":"New"}]}',
    'PUT /api/v1/flows/a/tags {"tags":["x"]}',
    'POST /api/v1/flows/a/duplicate {}',
  ]);
  const box = await toasts();
  await fire(named(box, 'Open'), 'click');
  expect(path()).toBe('/base/flows/copy');
});

it('says how many secrets an exported flow lacks', async () => {
  const { actions } = await open();
  vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:1');
  vi.spyOn(URL, 'revokeObjectURL').mockReturnValue();
  for (const [removed, text] of [
    [[], 'Exported “Flow a”.'],
    [['k'], 'Exported “Flow a”. 1 secret was left out.'],
    [['k', 'l'], 'Exported “Flow a”. 2 secrets were left out.'],
  ] as const) {
    dismissToasts();
    server.answer('GET /api/v1/flows/a/export', { document: {}, removed });
    await act(() => actions.exportFlow(row('a')));
    expect((await toasts()).textContent).toBe(text);
  }
  vi.restoreAllMocks();
});

it('imports a file, and throws what the server says of it', async () => {
  const { client, actions } = await open();
  server.answer('POST /api/v1/flows/import', { flow: full('i'), findings: [] });
  await act(async () =>
    expect(await actions.importFile(new File(['{"a":1}'], 'f.json'))).toEqual({ flow: full('i'), findings: [] }),
  );
  expect([server.requests[0], isInvalid(client, LIST)]).toEqual(['POST /api/v1/flows/import {"source":{"a":1}}', true]);
  server.answer('POST /api/v1/flows/import', refusal(422, 'invalid'));
  await expect(actions.importFile(new File(['{}'], 'f.json'))).rejects.toMatchObject({ code: 'invalid' });
});
