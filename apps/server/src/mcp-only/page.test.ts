import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { connect, makeSurroundings, type RunningMcpHttp, startMcpHttp, type Surroundings } from '@croft/mcp/testing';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { axeProblems } from '../../../../tests/browser/axe-problems.ts';
import { type LaunchedBrowser, launchChromium } from '../../../../tests/browser/launch-chromium.ts';

/** A name that would be markup, and one that would push a narrow page wide. */
const HOSTILE = `<img src=x onerror="document.title='taken'">`;
const LONG = `a-${'very-'.repeat(30)}long-name`;

let surroundings: Surroundings;
let serve: RunningMcpHttp;
let launched: LaunchedBrowser;
let context: BrowserContext;
let page: Page;
let complaints: string[];

beforeAll(async () => {
  surroundings = makeSurroundings();
  const dirs = [join(surroundings.root, HOSTILE), join(surroundings.root, LONG)];
  for (const dir of dirs) mkdirSync(dir);
  writeFileSync(join(dirs[0] as string, `${HOSTILE}.txt`), 'x');
  [serve, launched] = await Promise.all([startMcpHttp(dirs, surroundings), launchChromium()]);
  // The address works once: the pages of all tests share what it opened.
  context = await launched.browser.newContext();
  const first = await context.newPage();
  await first.goto(serve.oneTimeUrl);
  await first.locator('#activity').waitFor();
});

afterAll(async () => {
  await launched?.close();
  await serve?.stop();
  surroundings?.remove();
});

/** Opens the page and collects every complaint of the browser, those about the policy included. */
async function open(): Promise<void> {
  page = await context.newPage();
  // Timers run normally, and tests can advance the clock.
  await page.clock.install();
  complaints = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(serve.url);
  await page.locator('#activity').waitFor();
}

afterEach(async () => {
  await page?.close();
});

const selected = () => page.getByRole('tab', { selected: true }).textContent();
const showToken = () =>
  page.locator('[role=tabpanel]:not([hidden])').getByRole('button', { name: 'Show token' }).click();
const shownText = () => page.locator('[role=tabpanel]:not([hidden]) pre').textContent();

describe('the page in a browser', () => {
  it('opens by its one-time address only once, and remembers the browser', async () => {
    const stranger = await launched.browser.newContext();
    const other = await stranger.newPage();
    expect((await other.goto(serve.oneTimeUrl))?.status()).toBe(403);
    await other.goto(serve.url);
    await other.getByRole('heading', { name: 'Open it from your terminal' }).waitFor();
    expect(await other.content()).not.toContain(serve.token);
    await stranger.close();
    await open();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('2 directories are open to your agents');
    expect(await page.content()).toContain(serve.token);
    expect(page.url()).toBe(`${serve.url}/`);
    expect(complaints).toEqual([]);
  });

  it('sends nothing to another port of this machine that would open it', async () => {
    const heard: IncomingMessage[] = [];
    const neighbour = createServer((request, response) => {
      heard.push(request);
      response.setHeader('Content-Type', 'text/html').end('<title>another</title>');
    });
    await new Promise<void>((resolve) => neighbour.listen(0, '127.0.0.1', resolve));
    try {
      await open();
      await page.goto(`http://127.0.0.1:${(neighbour.address() as AddressInfo).port}/`);
      expect(heard.length).toBeGreaterThan(0);
      for (const { headers } of heard) expect([headers.cookie, headers['x-croft-key']]).toEqual([undefined, undefined]);
      expect(await page.evaluate("localStorage.getItem('croft')")).toBeNull();
    } finally {
      neighbour.close();
      neighbour.closeAllConnections();
    }
  });

  it('shows hostile names as the text they are', async () => {
    await open();
    expect(await page.title()).toBe('Croft');
    expect(await page.locator('img').count()).toBe(0);
    expect(await page.locator('.facts').textContent()).toContain(HOSTILE);
    expect(complaints).toEqual([]);
  });

  it('changes tabs by mouse and by arrow keys, round the ends', async () => {
    await open();
    expect(await selected()).toBe('Claude Code');
    expect(await shownText()).toContain(`claude mcp add --transport http croft ${serve.url}/mcp`);
    await page.getByRole('tab', { name: 'Cursor' }).click();
    expect(await selected()).toBe('Cursor');
    await showToken();
    expect(JSON.parse((await shownText()) ?? '')).toEqual({
      mcpServers: { croft: { url: `${serve.url}/mcp`, headers: { Authorization: `Bearer ${serve.token}` } } },
    });
    await page.getByRole('tab', { name: 'Cursor' }).focus();
    await page.keyboard.press('ArrowRight');
    expect(await selected()).toBe('VS Code');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('VS Code');
    for (const key of ['ArrowLeft', 'ArrowLeft', 'ArrowLeft']) await page.keyboard.press(key);
    expect(await selected()).toBe('Any client');
    await page.keyboard.press('ArrowLeft');
    expect(JSON.parse((await shownText()) ?? '')).toEqual({
      mcpServers: { croft: { httpUrl: `${serve.url}/mcp`, headers: { Authorization: `Bearer ${serve.token}` } } },
    });
    await page.keyboard.press('ArrowLeft');
    expect(await shownText()).toBe(
      `[mcp_servers.croft]\nurl = "${serve.url}/mcp"\nhttp_headers = { Authorization = "Bearer ${serve.token}" }`,
    );
    for (const key of ['ArrowRight', 'ArrowRight']) await page.keyboard.press(key);
    await page.keyboard.press('ArrowRight');
    expect(await selected()).toBe('Claude Code');
    await page.keyboard.press('End');
    expect(await selected()).toBe('Any client');
    await page.keyboard.press('Home');
    expect(await selected()).toBe('Claude Code');
    expect(await page.locator('[role=tabpanel]:not([hidden])').count()).toBe(1);
    expect(complaints).toEqual([]);
  });

  it('keeps the token off the screen until it is asked for', async () => {
    await open();
    const visible = async () => (await page.evaluate('document.body.innerText')) as string;
    expect(await visible()).not.toContain(serve.token);
    expect(await shownText()).toContain('Bearer croft_…"');
    await showToken();
    expect(await visible()).toContain(serve.token);
    await page.locator('[role=tabpanel]:not([hidden])').getByRole('button', { name: 'Hide token' }).click();
    expect(await visible()).not.toContain(serve.token);
    expect(complaints).toEqual([]);
  });

  it('copies a configuration that works', async () => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: serve.url });
    await open();
    const button = page.locator('[role=tabpanel]:not([hidden])').getByRole('button', { name: 'Copy' });
    await button.click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const copied = (await page.evaluate('navigator.clipboard.readText()')) as string;
    expect(await shownText()).not.toContain(serve.token);
    await showToken();
    expect(copied).toBe(await shownText());
    const [, url] = /http croft (\S+)/.exec(copied) ?? [];
    const [, authorization] = /--header "Authorization: ([^"]+)"/.exec(copied) ?? [];
    const answer = await fetch(url as string, {
      method: 'POST',
      headers: {
        Authorization: authorization as string,
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    });
    expect(answer.status).toBe(200);
    expect(complaints).toEqual([]);
  });

  it('selects the text instead when the clipboard is refused', async () => {
    await context.clearPermissions();
    await open();
    await page.evaluate('navigator.clipboard.writeText = () => Promise.reject(new Error("no"))');
    await page.locator('[role=tabpanel]:not([hidden])').getByRole('button', { name: 'Copy' }).click();
    await page.getByRole('button', { name: 'Selected' }).waitFor();
    expect(await page.evaluate('getSelection().toString()')).toContain(serve.token);
  });

  it('shows what an agent does a moment after it did it', async () => {
    await open();
    const { client, close } = await connect('modern', serve);
    try {
      await client.callTool({ name: 'read_file', arguments: { path: `${LONG}/missing-${HOSTILE}` } });
      await client.callTool({ name: 'create_dir', arguments: { path: `${LONG}/made` } });
      await page.clock.fastForward(3_000);
      await page.locator('#activity').getByText(`${LONG}/made`).waitFor({ timeout: 20_000 });
      const activity = (await page.locator('#activity').textContent()) ?? '';
      expect(activity).toContain('create_dir');
      expect(activity).toContain(`missing-${HOSTILE}`);
      expect(await page.locator('img').count()).toBe(0);
      expect(complaints).toEqual([]);
    } finally {
      await close();
    }
  });

  it('is accessible in both colour schemes and not wider than its window, for strangers too', async () => {
    await open();
    await look(page);
    expect(complaints).toEqual([]);
    const stranger = await launched.browser.newContext();
    const other = await stranger.newPage();
    await other.goto(serve.url);
    await other.getByRole('heading', { level: 1 }).waitFor();
    await look(other);
    await stranger.close();
  });
});

/** Checks all rules in a wide light window, colours and width in the other looks. */
async function look(shown: Page): Promise<void> {
  for (const width of [1_100, 360])
    for (const scheme of ['light', 'dark'] as const) {
      await shown.setViewportSize({ width, height: 800 });
      await shown.emulateMedia({ colorScheme: scheme });
      const isFirst = width === 1_100 && scheme === 'light';
      const found =
        isFirst || scheme === 'dark' ? await axeProblems(shown, isFirst ? undefined : 'color-contrast') : [];
      expect([width, scheme, found]).toEqual([width, scheme, []]);
      expect(await shown.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    }
}
