import { act, createElement } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { navigate } from '../routing/location.ts';
import { refusal, useFakeApi } from '../testing/fake-api.ts';
import { outline } from '../testing/outline.ts';
import { choose, fire, named, type, usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { dismissToasts, Toaster } from '../ui/toast.tsx';
import { FlowsPage } from './flows-page.tsx';
import { flowOf } from './testing-flows.ts';

const server = useFakeApi();
const page = usePage();
beforeEach(() => {
  dismissToasts();
});
const AT = '2026-01-01T00:00:00Z';
const flow = (id: string) => flowOf(id, `Flow ${id}`);

async function show(flows: unknown, { at = '/flows', tags = [] as object[], deleted = [] as object[] } = {}) {
  server.answer('GET /api/v1/flows', Array.isArray(flows) ? { flows, nextCursor: null } : flows);
  server.answer('GET /api/v1/flow-tags', { tags });
  server.answer('GET /api/v1/deleted-flows', { flows: deleted });
  server.answer('GET /api/v1/runs', { runs: [], nextCursor: null });
  server.answer('GET /api/v1/flow-templates', { templates: [] });
  server.answer('GET /api/v1/agentic/check-config', { configured: true, providers: [] });
  await act(async () => navigate(at));
  const box = await page.show(inClient(testClient())(createElement(FlowsPage)));
  await vi.waitFor(() => expect(box.textContent).not.toContain('Loading'));
  const pick = async (name: string) => {
    await fire(named(box, 'Actions for Flow a'), 'keydown', { key: 'Enter' });
    await fire(named(document.body, name, '[role=menuitem]'), 'click');
    return box.querySelector('dialog') as HTMLDialogElement;
  };
  const close = () => fire(named(box.querySelector('dialog') as Element, 'Close'), 'click');
  return { box, pick, close };
}

it('lists flows with their tags, and shows those of one tag', async () => {
  const { box } = await show([flow('a')], { tags: [{ name: 'work & co', flows: 1 }] });
  await expect
    .poll(() => outline(box))
    .toEqual([
      'h1[tabindex=-1] Flows',
      'p A flow connects components, such as a message, a model and a file, and runs them in order.',
      'button[type=button]',
      'span Import',
      'icon import 17',
      'button[type=button]',
      'span New flow',
      'icon plus 17',
      'input[type=file][aria-hidden=true][hidden][accept=.json,.yaml,.yml,.txt]',
      'icon search 16',
      'input[type=search][maxLength=200][spellCheck=false][autoComplete=off][placeholder=Search][aria-label=Search flows]',
      'ul[aria-label=Tags]',
      'button[aria-pressed=false][type=button]',
      'span[aria-hidden=true]',
      'icon tag 13',
      'span work & co',
      'span 1',
      'span flow',
      'section[aria-label=Flows]',
      'span[aria-hidden=true]',
      'icon workflow 18',
      'a[href=/base/flows/a]',
      'bdi Flow a',
      'time 2026-01-01T00:00:00Z',
      'buttonradix-#1[data-state=closed][aria-expanded=false][aria-haspopup=menu][title=Actions for Flow a][aria-label=Actions for Flow a][type=button]',
      'icon ellipsis 17',
    ]);
  expect([box.querySelector('h1')?.textContent, box.querySelector('section')?.getAttribute('aria-label')]).toEqual([
    'Flows',
    'Flows',
  ]);
  expect(box.textContent).toContain(
    'A flow connects components, such as a message, a model and a file, and runs them in order.',
  );
  expect(box.textContent).toContain('Flow aChanged Jan 1, 2026');
  await fire(box.querySelector('ul[aria-label=Tags] button') as Element, 'click');
  expect(location.search).toBe('?tag=work%20%26%20co');
  await fire(box.querySelector('ul[aria-label=Tags] button') as Element, 'click');
  expect([location.pathname, location.search]).toEqual(['/base/flows', '']);
});

it('shows flows that run by themselves, together with a tag', async () => {
  const triggers = { nextAt: null, schedules: 0, webhooks: 1, hasLink: false, failure: null };
  const { box } = await show([{ ...flow('a'), triggers }], { tags: [{ name: 'work', flows: 1 }] });
  await fire(named(box, 'Runs by itself'), 'click');
  expect(location.search).toBe('?triggered=true');
  await vi.waitFor(() => expect(server.requests.at(-1)).toBe('GET /api/v1/flows?triggered=true'));
  await fire(box.querySelector('ul[aria-label=Tags] button') as Element, 'click');
  expect(location.search).toBe('?tag=work&triggered=true');
  await fire(named(box, 'Runs by itself'), 'click');
  expect(location.search).toBe('?tag=work');
});

it('offers no filter for flows that run by themselves where none does', async () => {
  const { box } = await show([flow('a')]);
  expect(box.textContent).not.toContain('Runs by itself');
});

it.each([
  ['/flows?triggered=true', 'No flow runs by itself'],
  ['/flows?triggered=true&tag=work', 'No such flow runs by itself'],
])('says at %s that %s', async (at, text) => {
  expect((await show([], { at })).box.textContent).toContain(text);
});

it('searches while a person types', async () => {
  const { box } = await show([flow('a')]);
  server.answer('GET /api/v1/flows', { flows: [], nextCursor: null });
  await type(box.querySelector('input[type=search]') as Element, ' none ');
  await vi.waitFor(() => expect(box.textContent).toContain('No flow has this name'));
  expect(server.requests.at(-1)).toMatch(/^GET \/api\/v1\/flows\?.*none(&|$)/);
});

it('says that no flow has a tag', async () => {
  const { box } = await show([], { at: '/flows?tag=work' });
  expect(box.textContent).toContain('No flow has this tag');
});

it('offers a first step on an empty list', async () => {
  const { box } = await show([]);
  expect(box.querySelector('section')?.textContent).toBe(
    'No flows yetSay what the flow should do, or start from a template. Most templates run without any key. You can also drop a ' +
      'flow file here, from Croft or Langflow. Describe it to the assistant Import New flow',
  );
  expect(box.querySelector('input[type=search]')).toBeNull();
});

it.each([
  ['Rename', 'Rename the flow'],
  ['Edit tags', 'Tags of “Flow a”'],
])('opens a dialog to %s, and closes it', async (action, title) => {
  const { box, pick, close } = await show([flow('a')]);
  expect((await pick(action)).querySelector('h2')?.textContent).toBe(title);
  await close();
  expect(box.querySelector('dialog')).toBeNull();
});

it('opens the new flow, and the deleted ones where there are some', async () => {
  const { box, close } = await show([flow('a')], { deleted: [{ id: 'd', name: 'Gone', deletedAt: AT }] });
  await fire(named(box, 'New flow'), 'click');
  expect(box.querySelector('dialog h2')?.textContent).toBe('New flow');
  await close();
  await fire(named(box, 'Recently deleted'), 'click');
  expect(box.querySelector('dialog')?.textContent).toContain('Gone');
  await close();
  expect([box.querySelector('dialog'), (await show([flow('a')])).box.textContent.includes('Recently deleted')]).toEqual(
    [null, false],
  );
});

it('says why a file was not imported, and takes the same file again', async () => {
  const { box } = await show([flow('a')]);
  const input = box.querySelector('input[type=file]') as HTMLInputElement;
  const click = vi.fn();
  Object.assign(input, { click });
  await fire(named(box, 'Import'), 'click');
  expect([click.mock.calls.length, input.getAttribute('accept')]).toEqual([1, '.json,.yaml,.yml,.txt']);
  Object.defineProperty(input, 'files', { value: [new File(['{{'], 'bad.json')] });
  await choose(input, 'bad.json');
  const toasts = await page.show(createElement(Toaster));
  await vi.waitFor(() => expect(toasts.textContent).toContain('bad.json was not imported.'));
  expect(input.value).toBe('');
});

it('takes a dropped file, and leaves dropped texts to the browser', async () => {
  const { box } = await show([flow('a')]);
  const drop = async (name: string, types: readonly string[]) =>
    (
      await fire(box.firstElementChild as Element, name, {
        dataTransfer: { types, files: [new File(['{{'], 'drop.json')] },
      })
    ).defaultPrevented;
  expect([
    await drop('dragover', ['text/plain']),
    await drop('drop', ['text/plain']),
    await drop('dragover', ['Files']),
  ]).toEqual([false, false, true]);
  expect(await drop('drop', ['Files'])).toBe(true);
  const toasts = await page.show(createElement(Toaster));
  await vi.waitFor(() => expect(toasts.textContent).toContain('drop.json was not imported.'));
});

it('says why they cannot be shown, and tries again', async () => {
  const { box } = await show(refusal(500, 'broken', 'It broke.'));
  expect(box.textContent).toContain('The flows cannot be shownIt broke.');
  server.answer('GET /api/v1/flows', { flows: [flow('a')], nextCursor: null });
  await fire(named(box, 'Try again'), 'click');
  await vi.waitFor(() => expect(box.textContent).toContain('Flow a'));
});

it.each([
  ['Rename', 'Name', 'POST /api/v1/flows/a/edits {"base":1,"edits":[{"kind":"set_details","name":"x"}]}'],
  ['Edit tags', 'Tags', 'PUT /api/v1/flows/a/tags {"tags":["x"]}'],
])('sends what a person changes: %s', async (action, label, request) => {
  const { box, pick } = await show([flow('a')]);
  server.answer(request.replace(/ \{.*/, ''), {});
  const dialog = await pick(action);
  expect(dialog.querySelector('label')?.textContent).toBe(label);
  await type(dialog.querySelector('input') as Element, 'x');
  await fire(dialog.querySelector('form') as Element, 'submit');
  await vi.waitFor(() => expect(server.requests).toContain(request));
  await vi.waitFor(() => expect(box.querySelector('dialog')).toBeNull());
});

it.each([
  ['Duplicate', 'POST /api/v1/flows/a/duplicate', { flow: {} }, 'Duplicated “Flow a”.Open'],
  ['Delete', 'DELETE /api/v1/flows/a', { isRestorable: true }, 'Deleted “Flow a”.Undo'],
  ['Export', 'GET /api/v1/flows/a/export', refusal(403, 'forbidden', 'Not allowed.'), 'Not allowed.'],
])('has in the menu of a flow the action %s', async (action, request, answer, text) => {
  const { pick } = await show([flow('a')]);
  server.answer(request, answer);
  const toasts = await page.show(createElement(Toaster));
  await pick(action);
  await vi.waitFor(() => expect(toasts.textContent).toBe(text));
  expect(server.requests.map((each) => each.replace(' {}', ''))).toContain(request);
});

it.each([
  ['opens', [], '/base/flows/new'],
  ['lists what needs attention, then opens', [{ message: 'unknown part', fix: 'replace it' }], '/base/flows'],
])('%s an imported flow', async (_what, findings, path) => {
  const { box } = await show([flow('a')]);
  const input = box.querySelector('input[type=file]') as HTMLInputElement;
  const imports = () => server.requests.filter((each) => each.startsWith('POST /api/v1/flows/import')).length;
  server.answer('POST /api/v1/flows/import', { flow: { ...flow('new'), document: {} }, findings });
  Object.defineProperty(input, 'files', { configurable: true, value: [] });
  await choose(input, '');
  expect(imports()).toBe(0);
  Object.defineProperty(input, 'files', { value: [new File(['{}'], 'flow.json')] });
  await choose(input, 'flow.json');
  await vi.waitFor(() => expect([imports(), location.pathname]).toEqual([1, path]));
  if (findings.length === 0) return expect(box.querySelector('dialog')).toBeNull();
  await vi.waitFor(() => expect(box.querySelector('dialog h2')?.textContent).toBe('Imported “Flow new”'));
  await fire(named(box.querySelector('dialog') as Element, 'Close'), 'click');
  expect(box.querySelector('dialog')).toBeNull();
  await choose(input, 'flow.json');
  await vi.waitFor(() => expect(box.querySelector('dialog')).not.toBeNull());
  await fire(named(box, 'Open flow'), 'click');
  expect(location.pathname).toBe('/base/flows/new');
});

it('restores a deleted flow', async () => {
  const { box } = await show([flow('a')], { deleted: [{ id: 'd', name: 'Gone', deletedAt: AT }] });
  server.answer('POST /api/v1/deleted-flows/d/restore', {});
  await fire(named(box, 'Recently deleted'), 'click');
  await fire(named(box, 'Restore Gone'), 'click');
  await vi.waitFor(() => expect(server.requests).toContain('POST /api/v1/deleted-flows/d/restore {}'));
});

it.each(['Describe it to the assistant', 'New flow'])('begins an empty flow by the button %s', async (name) => {
  const { box } = await show([]);
  server.answer('POST /api/v1/flows', { flow: { ...flow('new'), document: { nodes: [], notes: [] } } });
  await fire(named(box, name), 'click');
  if (name === 'New flow') {
    const dialog = box.querySelector('dialog') as Element;
    await vi.waitFor(() => expect(dialog.textContent).toContain('Empty flow'));
    await fire(named(dialog, 'Empty flowNo components yet.'), 'click');
  }
  await vi.waitFor(() => expect(location.pathname).toBe('/base/flows/new'));
});
