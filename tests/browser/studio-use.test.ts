import { execFile, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { ASKS, joins, readsRows, takesBody } from '../../apps/server/src/testing-flows.ts';
import { viewProblems } from './axe-problems.ts';
import { type OpenStudio } from './open-studio.ts';
import { change, type StudioUser } from './studio-servers.ts';
import { useStudio } from './use-studio.ts';

const ROOT = join(import.meta.dirname, '../..');
const opener = useStudio({ newUser: true });
let studio: OpenStudio;
let page: Page;

const button = (name: string | RegExp) => page.getByRole('button', { name });
const card = (name: string) => page.getByRole('region', { name, exact: true });

/** Opens the page "Use it" of a flow. Returns the id of the flow. */
async function open(source: string, prepare: (user: StudioUser, flow: Stored) => Promise<unknown> = async () => {}) {
  let id = '';
  studio = await opener.open({
    path: 'flows',
    beforeLoad: async (_, user) => {
      const { flow } = (await change(user.visitor, 'POST', '/api/v1/flows/import', { source })) as { flow: Stored };
      ({ id } = flow);
      await prepare(user, flow);
    },
  });
  page = studio.page;
  await button(/^Actions for /).waitFor();
  await page.goto(`${studio.url}flows/${id}/use`);
  await card('Use it from code').waitFor();
  return id;
}

interface Stored {
  readonly id: string;
  readonly version: number;
  readonly document: { readonly nodes: readonly { readonly id: string; readonly type: string }[] };
}

const ECHO = joins('name: Echo', '|');
const READS = readsRows('{region}');
/** A text that breaks code whose quotes are wrong. */
const TRICKY = 'It\'s "fine": $HOME `id` \\n\nand\ttwo lines';

async function codeFor(name: string): Promise<string> {
  await page.getByRole('tab', { name, exact: true }).click();
  return (await page.getByRole('region', { name: `Code for ${name}` }).textContent()) ?? '';
}

const PROGRAMS: Readonly<Record<string, (code: string) => string[]>> = {
  curl: (code) => ['bash', '-c', code],
  Python: (code) => [PYTHON, '-c', code],
};

/** The Python of the path. Its code needs the package `requests`. */
const PYTHON = 'python3';
const hasPython = spawnSync(PYTHON, ['-c', 'import requests']).status === 0;
if (!hasPython) process.stderr.write('The code in Python is not run: python3 has no package requests.\n');
const canExecute = (name: string) => name !== 'Python' || hasPython;

/** Runs code as a person would who pasted it. */
async function execute(name: string, code: string, key: string): Promise<string> {
  const [program, ...args] = PROGRAMS[name]?.(code) ?? ['node', '--input-type=module', '-e', code];
  const env = { PATH: process.env['PATH'], HOME: '/nonexistent', CROFT_KEY: key };
  return (await promisify(execFile)(program ?? '', args, { cwd: ROOT, env })).stdout;
}

async function makeKey(): Promise<string> {
  return ((await change(studio.visitor, 'POST', '/api/v1/keys', { name: 'code' })) as { secret: string }).secret;
}

describe('code that runs a flow', () => {
  it('works as it is shown, for curl, Python, OpenAI, TypeScript and MCP, with any text', async () => {
    await open(ECHO, async ({ visitor }, { id, version, document }) => {
      const edits = document.nodes
        .filter(({ type }) => type === 'ChatInput' || type === 'TextInput')
        .map(({ id: node, type }) => ({
          kind: 'configure',
          id: node,
          values: { input_value: type === 'ChatInput' ? TRICKY : 'second' },
        }));
      await change(visitor, 'POST', `/api/v1/flows/${id}/edits`, { base: version, edits });
    });
    expect(await viewProblems(page)).toEqual([]);
    const key = await makeKey();
    const names = await page.getByRole('tablist', { name: 'Languages' }).getByRole('tab').allTextContents();
    expect(names).toEqual(['curl', 'Python', 'OpenAI (JavaScript)', 'TypeScript', 'MCP (JavaScript)']);
    for (const name of names.filter(canExecute)) {
      const said = await execute(name, await codeFor(name), key);
      const text = ['curl', 'MCP (JavaScript)'].includes(name)
        ? (JSON.parse(said) as { text: string }).text
        : said.trimEnd();
      expect([name, text]).toEqual([name, `${TRICKY}|second`]);
    }
  });

  it('names the inputs of a flow without a message, and queues a flow that asks a person', async () => {
    await open(READS);
    const names = await page.getByRole('tablist', { name: 'Languages' }).getByRole('tab').allTextContents();
    expect(names).toEqual(['curl', 'Python', 'TypeScript', 'MCP (JavaScript)']);
    const key = await makeKey();
    studio.files.write('sales.csv', 'region\nnorth\n');
    for (const name of names.filter(canExecute)) {
      const code = (await codeFor(name)).replace(/("path": ?)""/, '$1"sales.csv"');
      expect(await execute(name, code, key)).toContain('north');
    }
    await studio.close();
    await open(ASKS);
    const queueing = await page.getByRole('tablist', { name: 'Languages' }).getByRole('tab').allTextContents();
    expect(queueing).toEqual(['curl', 'Python', 'TypeScript']);
    const other = await makeKey();
    for (const name of queueing.filter(canExecute)) {
      const id = /[0-9a-f-]{36}/.exec(await execute(name, await codeFor(name), other))?.[0];
      const status = async () =>
        (await studio.visitor.json<{ run: { status: string } }>(`/api/v1/runs/${id}`)).body.run.status;
      await expect.poll(status).toBe('waiting');
    }
  });
});

/** The tools that an MCP client finds at an address, with a key of the user. */
async function toolsAt(address: string | null): Promise<string[]> {
  const { Client, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
  const client = new Client({ name: 'test', version: '1' });
  const requestInit = { headers: { authorization: `Bearer ${await makeKey()}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(address ?? ''), { requestInit }));
  try {
    return (await client.listTools()).tools.map(({ name }) => name);
  } finally {
    await client.close();
  }
}

describe('a flow as a tool of agents', () => {
  it('is offered by its owner with a name and a purpose, shows its arguments, and is taken back', async () => {
    const id = await open(ECHO);
    const tool = card('Tool for agents');
    const purpose = tool.getByLabel('When to use it');
    await purpose.fill('Joins two texts');
    await tool.getByLabel('Name of the tool').fill('Echo');
    await tool.getByRole('button', { name: 'Offer it' }).click();
    await tool.getByText(/^Begin with flow_/).waitFor();
    expect(await viewProblems(page)).toEqual([]);
    await tool.getByLabel('Name of the tool').fill('flow_echo');
    await tool.getByRole('button', { name: 'Offer it' }).click();
    await tool.getByText('chat_input').waitFor();
    expect(await viewProblems(page)).toEqual([]);
    expect(await toolsAt(await tool.getByText(/\/mcp\/flows$/).textContent())).toContain('flow_echo');
    expect(await tool.getByRole('link', { name: 'Connect an agent' }).getAttribute('href')).toMatch(/\/connect$/);
    const path = `/api/v1/flows/${id}/tool`;
    const stored = async () => (await studio.visitor.json<{ tool: { name: string } | null }>(path)).body.tool?.name;
    await expect.poll(() => stored()).toBe('flow_echo');
    await tool.getByRole('button', { name: 'Stop offering it' }).click();
    await tool.getByRole('button', { name: 'Offer it' }).waitFor();
    expect(await stored()).toBeUndefined();
  });
});

describe('webhooks, schedules and shares of a flow', () => {
  it('adds a webhook whose secret is shown once and works, switches it off, replaces its secret, deletes it', async () => {
    await open(ECHO);
    const hooks = () => card('Webhooks');
    await hooks()
      .getByText(/^This flow has no component Webhook/)
      .waitFor();
    expect(await viewProblems(page)).toEqual([]);
    await studio.close();
    await open(takesBody('Order {order}'));
    await hooks().getByText('No webhooks').waitFor();
    await hooks().getByRole('button', { name: 'New webhook' }).click();
    const dialog = page.getByRole('dialog', { name: 'Copy the secret now' });
    const secret = await dialog.getByRole('region', { name: 'The secret' }).textContent();
    expect(await viewProblems(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Done' }).click();
    expect(await page.content()).not.toContain(secret);
    const address = (await hooks().locator('code').textContent()) ?? '';
    const send = async (value: string | null) =>
      (await fetch(address, { method: 'POST', headers: { authorization: `Bearer ${value}` }, body: '{}' })).status;
    expect([await send(secret), await send('whsec_wrong')]).toEqual([202, 404]);
    await page.reload();
    await hooks().getByRole('link', { name: /^ran/ }).waitFor();
    expect(await viewProblems(page)).toEqual([]);
    await hooks().getByRole('switch').click();
    await expect.poll(() => send(secret)).toBe(404);
    // The server knows it before the page shows it, and answers while a dialog is open.
    let answer = () => {};
    const isAnswered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route(/\/webhooks\/[^/]+$/, async (route) => {
      const response = await route.fetch();
      await isAnswered;
      await route.fulfill({ response });
    });
    await hooks().getByRole('switch', { checked: false }).click();
    await expect.poll(() => send(secret)).toBe(202);
    await button('Actions for Webhook').click();
    await page.getByRole('menuitem', { name: 'Replace the secret' }).click();
    await page.getByRole('dialog', { name: 'Replace its secret?' }).waitFor();
    answer();
    await button('Replace secret').click();
    const next = await dialog.getByRole('region', { name: 'The secret' }).textContent();
    await dialog.getByRole('button', { name: 'Done' }).click();
    expect([await send(secret), await send(next)]).toEqual([404, 202]);
    await button('Actions for Webhook').click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await button('Delete webhook').click();
    await hooks().getByText('No webhooks').waitFor();
    expect(await send(next)).toBe(404);
  });

  it('adds a schedule with its next time, refuses a wrong one, changes, pauses and deletes it', async () => {
    await open(ECHO);
    const schedules = card('Schedules');
    await schedules.getByRole('button', { name: 'New schedule' }).click();
    const dialog = page.getByRole('dialog', { name: 'New schedule' });
    await dialog.getByLabel('How often').selectOption('Other, as a cron expression');
    await dialog.getByLabel('Cron expression').fill('every day');
    studio.expectComplaint(/status of 400/);
    await dialog.getByRole('button', { name: 'Add schedule' }).click();
    await dialog.getByText(/^The schedule was not added\./).waitFor();
    expect(await viewProblems(page)).toEqual([]);
    await dialog.getByLabel('How often').selectOption('Monday to Friday');
    await dialog.getByLabel('Time', { exact: true }).fill('07:30');
    await dialog.getByLabel('Time zone').fill('Europe/Berlin');
    await dialog.getByRole('button', { name: 'Add schedule' }).click();
    await schedules.getByText(/^Europe\/Berlin · next .* 7:30/).waitFor();
    expect(await viewProblems(page)).toEqual([]);
    await button('Change Monday to Friday at 7:30').click();
    const changed = page.getByRole('dialog', { name: 'Change the schedule' });
    expect(await changed.getByLabel('Time', { exact: true }).inputValue()).toBe('07:30');
    await changed.getByLabel('How often').selectOption('Every week');
    await changed.getByLabel('Day').selectOption('Friday');
    await changed.getByLabel('Time', { exact: true }).fill('17:30');
    await changed.getByRole('button', { name: 'Save changes' }).click();
    await schedules.getByText(/^Europe\/Berlin · next .* 5:30/).waitFor();
    await schedules.getByRole('switch', { name: 'Every Friday at 17:30 is on' }).click();
    await schedules.getByText('Europe/Berlin · paused').waitFor();
    await button('Delete Every Friday at 17:30').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete schedule' }).click();
    await schedules.getByText('No schedules').waitFor();
  });

  it('shares a flow with another user, accepts the version of that user, and ends it', async () => {
    const json = { name: 'Ben Reed', email: 'ben@shares.example', password: 'correct horse' };
    const id = await open(ECHO, ({ visitor }) => change(visitor, 'POST', '/api/v1/users', json));
    const ben = await studio.server.signIn(json.email, json.password);
    const canRead = async () => (await ben.json(`/api/v1/flows/${id}`)).status === 200;
    const shares = card('Sharing');
    await shares.getByLabel('User', { exact: true }).fill('no such user');
    studio.expectComplaint(/status of 404/);
    await shares.getByRole('button', { name: 'Share' }).click();
    await shares.getByRole('alert').filter({ hasText: /./ }).waitFor();
    await shares.getByLabel('User', { exact: true }).fill(json.email);
    await shares.getByRole('button', { name: 'Share', exact: true }).click();
    await shares.getByText('can run it', { exact: true }).first().waitFor();
    expect(await canRead()).toBe(true);
    expect(await viewProblems(page)).toEqual([]);
    await change(studio.visitor, 'PUT', `/api/v1/flows/${id}/shares`, { user: json.email, access: 'edit' });
    const rename = (base: number, name: string) =>
      change(ben, 'POST', `/api/v1/flows/${id}/edits`, { base, edits: [{ kind: 'set_details', name }] });
    await rename(1, 'Echo of Ben');
    await page.reload();
    await button('Accept version 2').waitFor();
    await page.getByRole('heading', { name: 'Ben Reed changed this flow' }).waitFor();
    const changes = page.getByRole('link', { name: 'See the changes' });
    expect(await changes.getAttribute('href')).toContain(`/flows/${id}/versions`);
    expect(await viewProblems(page)).toEqual([]);
    await button('Accept version 2').click();
    await card('Accept this version').waitFor({ state: 'detached' });
    // An edit arrives while the page is open. Turning something on accepts what the page shows.
    await rename(2, 'Echo of Ben again');
    await button('Accept version 3').waitFor();
    await card('Webhooks').getByRole('button', { name: 'New webhook' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click();
    await card('Accept this version').waitFor({ state: 'detached' });
    await button('Stop sharing with Ben Reed').click();
    await expect.poll(canRead).toBe(false);
  });
});
