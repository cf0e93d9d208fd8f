import { act, createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { refusal, settle, useFakeApi } from '../testing/fake-api.ts';
import { outline } from '../testing/outline.ts';
import { fire, named, type, usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { NewFlowDialog } from './new-flow-dialog.tsx';

const server = useFakeApi();
const page = usePage();
const TEMPLATES = 'GET /api/v1/flow-templates';
const template = (name: string, more: object = {}) => ({
  name,
  title: name,
  description: `About ${name}.`,
  files: {},
  needsNetwork: false,
  usesModel: false,
  picture: { nodes: [], edges: [] },
  document: {},
  ...more,
});

async function show(
  answer: unknown = { templates: [template('first'), template('second')] },
  configured = true,
  until = 'About',
) {
  server.answer(TEMPLATES, answer);
  server.answer('GET /api/v1/agentic/check-config', {
    configured,
    providers: [],
    default_provider: '',
    default_model: '',
  });
  const onCreate = vi.fn<(template?: unknown) => Promise<void>>(() => Promise.resolve());
  const [onDescribe, onClose] = [vi.fn(), vi.fn()];
  const box = await page.show(inClient(testClient())(createElement(NewFlowDialog, { onCreate, onDescribe, onClose })));
  await vi.waitFor(() => expect(box.textContent).toContain(until));
  const choices = () => [...box.querySelectorAll('ul button')] as HTMLElement[];
  return { box, choices, onCreate, onDescribe, onClose };
}

it('offers the assistant, an empty flow and the templates', async () => {
  const { box, choices, onCreate, onDescribe } = await show();
  await expect
    .poll(() => outline(box))
    .toEqual([
      'dialog[aria-describedby=#1-about][aria-labelledby=#1]',
      'h2#1 New flow',
      'button[title=Close][aria-label=Close][type=button]',
      'icon x 18',
      'p#1-about Describe it, start from a template and run it at once, or start empty.',
      'div[aria-busy=false]',
      'icon search 16',
      'input[type=search][maxLength=200][spellCheck=false][autoComplete=off][placeholder=Search][aria-label=Search templates]',
      'button[type=button]',
      'icon bot-message-square 18',
      'span Describe it to the assistant',
      'span It builds a flow from your words, and runs it if you ask for that.',
      'button[type=button]',
      'icon file-plus 18',
      'span Empty flow',
      'span No components yet.',
      'button[type=button]',
      'span first',
      'span About first.',
      'button[type=button]',
      'span second',
      'span About second.',
    ]);
  expect(box.querySelector('h2')?.textContent).toBe('New flow');
  expect(box.textContent).toContain('Describe it, start from a template and run it at once, or start empty.');
  expect(
    choices()
      .slice(0, 2)
      .map(({ textContent }) => textContent),
  ).toEqual([
    'Describe it to the assistantIt builds a flow from your words, and runs it if you ask for that.',
    'Empty flowNo components yet.',
  ]);
  expect(choices().length).toBe(4);
  await fire(choices()[0] as Element, 'click');
  expect([onDescribe.mock.calls.length, onCreate.mock.calls.length]).toEqual([1, 0]);
  await fire(choices()[1] as Element, 'click');
  expect(onCreate.mock.calls[0]?.[0]).toBeUndefined();
  await fire(choices().at(-1) as Element, 'click');
  expect(onCreate.mock.calls[1]?.[0]).toMatchObject({ name: expect.any(String) });
});

it('makes one flow at a time, and says why it was not made', async () => {
  const { box, choices, onCreate } = await show();
  let fail: (error: Error) => void = () => undefined;
  onCreate.mockImplementation(() => new Promise((_, reject) => (fail = reject)));
  await fire(choices()[1] as Element, 'click');
  await act(settle);
  await fire(choices()[1] as Element, 'click');
  expect([onCreate.mock.calls.length, box.querySelector('[aria-busy]')?.getAttribute('aria-busy')]).toEqual([
    1,
    'true',
  ]);
  fail(new Error('No space.'));
  await vi.waitFor(() => expect(box.querySelector('[role=alert]')?.textContent).toBe('No space.'));
});

it('finds templates by their words, without the other choices', async () => {
  const { box, choices } = await show();
  const search = box.querySelector('input') as HTMLInputElement;
  expect(search.getAttribute('aria-label')).toBe('Search templates');
  await type(search, 'second');
  expect([choices().length, choices()[0]?.textContent.includes('About second.')]).toEqual([1, true]);
  await type(search, 'zzz');
  expect([choices().length, box.textContent.includes('No template has these words.')]).toEqual([0, true]);
});

it('says what a template adds and needs', async () => {
  const more = { files: { 'a.txt': '' }, needsNetwork: true, usesModel: true };
  const { choices } = await show({ templates: [template('first', more), template('second')] });
  const texts = choices().map(({ textContent }) => textContent);
  expect(texts.find((text) => text.includes('first'))).toContain(
    'About first. Adds a.txt to your files.  uses a model needs the internet',
  );
  expect(texts.find((text) => text.includes('second'))).not.toMatch(/uses|needs|Adds/);
});

it('says that rules answer where no provider is set up', async () => {
  const { box } = await show(undefined, false);
  expect(box.textContent).toContain(
    'No model provider is set up. Templates that use a model run with croft/offline, which answers simple requests by rules. ' +
      'Set up a provider',
  );
  expect(named(box, 'Set up a provider').getAttribute('href')).toBe('/base/settings/providers');
  expect((await show()).box.textContent).not.toContain('No model provider');
});

it('says that templates load, and why they cannot be shown', async () => {
  expect((await show(() => new Promise(() => undefined), true, 'Loading')).box.textContent).toContain(
    'Loading the templates',
  );
  const { box } = await show(refusal(500, 'broken', 'It broke.'), true, 'It broke.');
  expect(box.textContent).toContain('The templates cannot be shown');
  server.answer(TEMPLATES, { templates: [template('first')] });
  await fire(named(box, 'Try again'), 'click');
  await vi.waitFor(() => expect(box.textContent).toContain('About first.'));
});

it('offers nothing before everything is there, so that no choice moves under the pointer', async () => {
  let answer: (templates: unknown) => void = () => undefined;
  const templates = () => new Promise((resolve) => (answer = resolve));
  const { box, choices } = await show(templates, true, 'New flow');
  await settle();
  expect(choices()).toEqual([]);
  answer({ templates: [template('first')] });
  await vi.waitFor(() => expect(box.textContent).toContain('About first'));
  expect(choices()).toHaveLength(3);
});
