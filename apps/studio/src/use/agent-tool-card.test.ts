import { createElement } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { refusal, useFakeApi } from '../testing/fake-api.ts';
import { outline } from '../testing/outline.ts';
import { fire, named, type, usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { dismissToasts, Toaster } from '../ui/toast.tsx';
import { AgentToolCard } from './agent-tool-card.tsx';

const server = useFakeApi();
const page = usePage();
beforeEach(dismissToasts);
const ROUTE = 'GET /api/v1/flows/f1/tool';
const SAVE = 'PUT /api/v1/flows/f1/tool';
const TOOL = {
  name: 'flow_daily',
  description: 'Daily report',
  inputs: [
    { name: 'day', type: 'string', required: true, description: '' },
    { name: 'top', type: 'number', required: false, description: 'Rows.' },
  ],
};

const TITLE = [
  'section[aria-label=Tool for agents]',
  'h2 Offer it to agents as a tool',
  'p Agents that are connected to your flows get a tool that runs this one, with its inputs as arguments.',
];
const ADDRESS = [
  'p Agents find it at .',
  'code http://croft.test/base/mcp/flows',
  'a[href=/base/connect] Connect an agent',
  'button[aria-live=polite][type=button]',
  'span Copy address',
  'icon copy 16',
];
const form = (name: string, about: string, action: string) => [
  'label[for=#1] Name of the tool',
  `input#1[spellCheck=false][required][autoComplete=off][value=${name}]`,
  'p#1-error[role=alert]',
  'label[for=#2] When to use it',
  `input#2[placeholder=Summarises a web page][maxLength=1000][required][autoComplete=off][value=${about}]`,
  'p#2-error[role=alert]',
  'button[type=submit]',
  `span ${action}`,
];

async function show(answer: unknown) {
  server.answer(ROUTE, answer);
  const box = await page.show(
    inClient(testClient())(createElement(AgentToolCard, { flowId: 'f1', about: 'About it' })),
  );
  await vi.waitFor(() => expect(box.textContent).not.toContain('Loading'));
  const [name, about] = [...box.querySelectorAll('input')] as [HTMLInputElement, HTMLInputElement];
  return { box, name, about, submit: () => fire(box.querySelector('form') as Element, 'submit') };
}

it('offers the flow under the suggested name', async () => {
  const { box, name, about, submit } = await show({ tool: null, suggestion: 'flow_x' });
  await expect.poll(() => outline(box)).toEqual([...TITLE, ...ADDRESS, ...form('flow_x', 'About it', 'Offer it')]);
  expect(box.textContent).toBe(
    'Offer it to agents as a toolAgents that are connected to your flows get a tool that runs this one, with its inputs as ' +
      'arguments.Agents find it at http://croft.test/base/mcp/flows. Connect an agentCopy address' +
      'Name of the toolWhen to use itOffer it',
  );
  expect([
    box.querySelector('section')?.getAttribute('aria-label'),
    named(box, 'Connect an agent').getAttribute('href'),
  ]).toEqual(['Tool for agents', '/base/connect']);
  expect([name.value, about.value, about.getAttribute('placeholder'), about.getAttribute('maxLength')]).toEqual([
    'flow_x',
    'About it',
    'Summarises a web page',
    '1000',
  ]);
  await type(name, ' flow_y ');
  await type(about, ' Better ');
  server.answer(SAVE, {});
  server.answer(ROUTE, { tool: TOOL, suggestion: 'flow_x' });
  expect((await submit()).defaultPrevented).toBe(true);
  await vi.waitFor(() => expect(box.textContent).toContain('Stop offering it'));
  expect(server.requests).toContain(`${SAVE} {"name":"flow_y","description":"Better"}`);
});

it('shows the arguments, changes the tool, and stops offering it', async () => {
  const { box, name } = await show({ tool: TOOL, suggestion: 'x' });
  await expect
    .poll(() => outline(box))
    .toEqual([
      ...TITLE,
      'button[type=button]',
      'span Stop offering it',
      ...ADDRESS,
      'p Agents see , with these arguments:',
      'code flow_daily',
      'code day',
      'span string',
      'code top',
      'span number, optional · Rows.',
      ...form('flow_daily', 'Daily report', 'Save'),
    ]);
  expect(box.textContent).toContain(
    'Agents see flow_daily, with these arguments:day stringtop number, optional · Rows.Name of the tool',
  );
  expect([name.value, named(box, 'Save').getAttribute('type')]).toEqual(['flow_daily', 'submit']);
  server.answer('DELETE /api/v1/flows/f1/tool', {});
  server.answer(ROUTE, { tool: null, suggestion: 'flow_x' });
  await fire(named(box, 'Stop offering it'), 'click');
  await vi.waitFor(() => expect(box.textContent).toContain('Offer it'));
  await vi.waitFor(() => expect(box.textContent).not.toContain('Agents see'));
});

it('says that a tool takes no arguments', async () => {
  const { box } = await show({ tool: { ...TOOL, inputs: [] }, suggestion: 'x' });
  expect(box.textContent).toContain('Agents see flow_daily, which takes no arguments.');
  expect(box.querySelector('ul')).toBeNull();
});

it.each(['daily', 'flow_', 'flow_A', `flow_${'a'.repeat(59)}`])(
  'refuses the name %s until it is another one',
  async (wrong) => {
    const { box, name, submit } = await show({ tool: null, suggestion: 'flow_x' });
    const rule = 'Begin with flow_ and use lowercase letters, digits and _, at most 63 characters.';
    await type(name, wrong);
    expect(box.textContent).not.toContain(rule);
    await submit();
    expect([box.textContent.includes(rule), server.requests]).toEqual([true, [ROUTE]]);
    await type(name, 'flow_ok');
    expect(box.textContent).not.toContain(rule);
  },
);

it('says what failed', async () => {
  const { box, submit } = await show({ tool: TOOL, suggestion: 'x' });
  server.answer(SAVE, refusal(409, 'exists', 'The name is taken.'));
  await submit();
  await vi.waitFor(() => expect(box.textContent).toContain('The name is taken.'));
  server.answer('DELETE /api/v1/flows/f1/tool', refusal(403, 'forbidden', 'Not allowed.'));
  await fire(named(box, 'Stop offering it'), 'click');
  const toasts = await page.show(createElement(Toaster));
  await vi.waitFor(() => expect(toasts.textContent).toContain('Not allowed.'));
});

it('says why it cannot be shown, and tries again', async () => {
  const { box } = await show(refusal(500, 'broken', 'It broke.'));
  await expect
    .poll(() => outline(box))
    .toEqual([
      ...TITLE,
      ...ADDRESS,
      'div[role=alert]',
      'span[aria-hidden=true]',
      'icon circle-exclamation-point 22',
      'p The tool cannot be shown',
      'p It broke.',
      'button[type=button]',
      'span Try again',
    ]);
  expect(box.textContent).toContain('The tool cannot be shownIt broke.');
  server.answer(ROUTE, { tool: TOOL, suggestion: 'x' });
  await fire(named(box, 'Try again'), 'click');
  await vi.waitFor(() => expect(box.textContent).toContain('Agents see'));
});
