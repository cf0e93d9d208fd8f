import { readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { makeSurroundings, openWire, PATIENCE_MS, type Surroundings, type Wire } from '@croft/mcp/testing';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ADMIN, startTestServer, type TestServer } from '../../apps/server/src/testing.ts';
import { type LaunchedBrowser, launchChromium } from './launch-chromium.ts';
import { axeProblems } from './axe-problems.ts';
import { buildStudioOnce } from './open-studio.ts';

let surroundings: Surroundings;
let launched: LaunchedBrowser;
let server: TestServer;
let page: Page;
let complaints: string[];
let wires: Wire[];

beforeAll(async () => {
  surroundings = makeSurroundings();
  writeFileSync(join(surroundings.workspace, 'on-the-laptop.txt'), 'from far away\n');
  const studioDir = join(import.meta.dirname, '../../apps/studio/dist');
  await buildStudioOnce();
  [launched, server] = await Promise.all([launchChromium(), startTestServer({}, { studioDir })]);
  await server.running.ready;
}, 2 * PATIENCE_MS);
afterAll(async () => {
  await launched?.close();
  await server?.stop();
  surroundings?.remove();
});

beforeEach(async () => {
  wires = [];
  complaints = [];
  page = await (await launched.browser.newContext({ viewport: { width: 1_200, height: 800 } })).newPage();
  page.setDefaultTimeout(15_000);
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.location().url.includes(':7655')) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(`${server.url}/files`);
  await page.getByLabel('Email or name').fill(ADMIN.login);
  await page.getByLabel('Password', { exact: true }).fill(ADMIN.password);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Files' }).waitFor();
});
afterEach(async () => {
  await Promise.all(wires.map((wire) => wire.kill()));
  await page.context().close();
  expect(complaints).toEqual([]);
});

/** A real `croft connect` in the other directory. */
function connectFrom(args: readonly string[]): Wire {
  const wire = openWire(['connect', '--json', ...args], { env: surroundings.env, cwd: surroundings.workspace });
  wires.push(wire);
  return wire;
}

const event = async (wire: Wire, type: string) =>
  (await wire.next((line) => (line as { type?: string }).type === type)) as unknown as Record<string, unknown>;
/** An API key of the signed-in user, made through the API. */
async function newKey(name: string): Promise<string> {
  const admin = await server.signIn(ADMIN.login, ADMIN.password);
  const { body } = await admin.json<{ secret: string }>('/api/v1/keys', {
    method: 'POST',
    json: { name },
    headers: { 'x-croft': '1' },
  });
  return body.secret;
}
const problem = (code: string) => ({ error: { code, message: 'The test refuses this request.' } });
const heading = (name: string) => page.getByRole('heading', { name, exact: true });

describe('the studio with the real server', { timeout: 2 * PATIENCE_MS }, () => {
  it('keeps files: stored, shown, found, renamed, thrown away and back', async () => {
    await page.getByText('Nothing here yet').waitFor();
    await page
      .locator('input[type=file]')
      .setInputFiles([
        { name: 'notes.md', mimeType: 'text/markdown', buffer: Buffer.from('# Notes\n\nShut the *gate*.\n') },
      ]);
    await page.getByRole('link', { name: 'notes.md' }).click();
    await heading('Notes').waitFor();
    await page.getByRole('button', { name: 'Close the preview' }).click();
    await page.getByRole('searchbox').fill('gate');
    await page.getByRole('radio', { name: 'Contents' }).check();
    await page.getByText('1 result for “gate”').waitFor();
    await page.getByRole('button', { name: 'Clear the search' }).click();
    await page.getByRole('button', { name: 'Actions for notes.md' }).click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('rules.md');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Actions for rules.md' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByText('Nothing here yet').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('link', { name: 'rules.md' }).waitFor();
    expect(await axeProblems(page)).toEqual([]);
  });

  it('connects a folder by the command it shows, pauses it, and lets it go', async () => {
    await page.getByRole('link', { name: 'Connect', exact: true }).click();
    const shown = page.getByRole('group', { name: 'Command that connects a folder' });
    const [, url = '', token = ''] = /connect (\S+) (gw_\S+)$/.exec((await shown.textContent()) ?? '') ?? [];
    const wire = connectFrom([url, token, '--no-listen']);
    await heading('Files connected').waitFor();
    expect(await page.locator('dl').textContent()).toContain(surroundings.workspace);
    const read = () =>
      page.evaluate(
        `fetch('api/v1/gateway/tools/read-file', { method: 'POST', headers: { 'Content-Type': 'application/json', 'X-Croft': '1' }, body: '{"filePath":"on-the-laptop.txt"}' }).then((answer) => answer.text())`,
      );
    expect(await read()).toContain('from far away');
    await page.getByRole('switch').click();
    await page.getByText('Paused', { exact: true }).waitFor();
    await page.getByRole('switch').click();
    await page.getByText('Agents may read').waitFor();
    expect(await axeProblems(page)).toEqual([]);
    await page.getByRole('button', { name: 'Disconnect' }).click();
    await heading('Connect a folder of your computer').waitFor();
    await wire.ended;
  });

  it('connects croft on this computer by itself when it listens', async () => {
    const wire = connectFrom(['--port', '0']);
    const { port } = await event(wire, 'listening');
    // The port is fixed in the page, and free ports are all a test may use: its requests are led to the real daemon.
    await page.route(/:7655\//, async (route) => {
      const url = route
        .request()
        .url()
        .replace(/:7655/, `:${port as number}`);
      await route.fulfill({ response: await route.fetch({ url }) });
    });
    await page.getByRole('link', { name: 'Connect', exact: true }).click();
    await heading('Files connected').waitFor();
    expect(await page.locator('dl').textContent()).toContain(surroundings.workspace);
    await page.getByRole('button', { name: 'Disconnect' }).click();
    await heading('Connect a folder of your computer').waitFor();
    await page.reload();
    await page.getByText('You disconnected.').waitFor();
    // It listens still, and is not asked.
    expect(wire.child.exitCode).toBeNull();
  });

  it('goes through the directories of its own machine to the one that agents may read', async () => {
    const studioDir = join(import.meta.dirname, '../../apps/studio/dist');
    const local = await startTestServer({ autoLogin: true }, { studioDir, isContainer: false });
    try {
      await local.running.ready;
      await page.goto(local.running.oneTimeUrl ?? '');
      await page.getByRole('link', { name: 'Connect', exact: true }).click();
      await page.getByRole('button', { name: 'Pick a directory' }).click();
      await page.getByLabel('Directory', { exact: true }).fill(dirname(surroundings.workspace));
      await page.getByRole('group', { name: `Directories in ${dirname(surroundings.workspace)}` }).waitFor();
      await page.getByRole('button', { name: basename(surroundings.workspace), exact: true }).click();
      await page.getByText('No directories in it.').waitFor();
      await page.getByRole('button', { name: 'Let agents read it' }).click();
      await page.getByText('Agents may read', { exact: true }).waitFor();
      const key = local.withKey(readFileSync(join(local.baseDir, 'mcp-token'), 'utf8').trim());
      const json = { filePath: 'on-the-laptop.txt' };
      const read = await key.request('/api/v1/gateway/tools/read-file', { method: 'POST', json });
      expect(await read.text()).toContain('from far away');
    } finally {
      await page.goto('about:blank');
      await local.stop();
    }
  });

  it('shows the latest changes of files, and adds one that an agent makes', async () => {
    await page.goto(`${server.url}/settings/activity`);
    const list = page.getByRole('region', { name: 'Recent changes' });
    await list.waitFor();
    const key = server.withKey(await newKey('a script'));
    const text = { path: 'by-a-script.md', content: 'x' };
    expect((await key.request('/api/v1/tools/full/write_file', { method: 'POST', json: text })).status).toBe(200);
    const change = list.getByRole('listitem').filter({ hasText: 'by-a-script.md' });
    await change.getByText(/^write_file/).waitFor();
    expect(await change.textContent()).toContain('API key · ');
    await page.route('**/activity/changes', (route) => route.fulfill({ status: 503, json: problem('unavailable') }));
    await page.reload();
    await page.getByText('The changes cannot be shown').waitFor();
    await page.unroute('**/activity/changes');
    await page.getByRole('button', { name: 'Try again' }).click();
    await change.waitFor();
    expect(await axeProblems(page)).toEqual([]);
    complaints = complaints.filter((text) => !/status of 503/.test(text));
  });

  it('sends the request of a form on the API docs page, and shows the response', async () => {
    await page.goto(`${server.url}/api/docs`);
    /** Fills the form of an operation, sends it, and returns the shown response. */
    async function send(operation: string, fill: Record<string, string> = {}, bytes?: string): Promise<string> {
      const form = page.getByRole('form', { name: operation, exact: true });
      await page
        .locator('details', { has: page.locator(`form[aria-label=${operation}]`) })
        .locator('summary')
        .click();
      for (const [name, value] of Object.entries(fill)) await form.locator(`[name=${name}]`).fill(value);
      if (bytes !== undefined)
        await form
          .locator('input[type=file]')
          .setInputFiles([{ name: 'x', mimeType: 'text/plain', buffer: Buffer.from(bytes) }]);
      await form.getByRole('button', { name: 'Send the request' }).click();
      await form.locator('output', { hasText: /^\d{3} / }).waitFor();
      return (await form.locator('output').textContent()) ?? '';
    }
    expect(await send('makeFolder', { body: '{"path":"from the docs"}' })).toMatch(/^200 .*json/);
    const name = 'from the docs/a & b#.txt';
    expect(await send('uploadFile', { path: name }, 'bytes & more')).toMatch(/^201 /);
    expect(await send('downloadFile', { path: name })).toBe('200 text/plain; charset=utf-8\n\nbytes & more');
    const { key } = JSON.parse((await send('createKey', { body: '{"name":"docs"}' })).replace(/^.*\n\n/, '')) as {
      key: { id: string };
    };
    expect(await send('revokeKey', { id: key.id })).toMatch(/^200 /);
    expect(await send('listKeys')).not.toContain(key.id);
    expect(await send('listFiles', { path: 'nowhere' })).toMatch(/^404 [^]*"not_found"/);
    expect(await axeProblems(page)).toEqual([]);
    expect(complaints).toEqual([expect.stringMatching(/status of 404/)]);
    complaints = [];
  });

  it('plays sound and seeks in it, a part at a time', async () => {
    await page
      .locator('input[type=file]')
      .setInputFiles([{ name: 'long.wav', mimeType: 'audio/wav', buffer: silence(600) }]);
    const parts: string[] = [];
    page.on('response', (answer) => {
      if (answer.url().includes('long.wav') && answer.status() === 206)
        parts.push(answer.headers()['content-range'] ?? '');
    });
    await page.getByRole('link', { name: 'long.wav' }).click();
    await page.locator('audio').waitFor();
    const audio = (expression: string) =>
      page.evaluate(`{ const audio = document.querySelector('audio'); ${expression} }`);
    await expect.poll(() => audio('audio.duration')).toBe(600);
    await audio('void (audio.currentTime = 590)');
    await expect.poll(() => audio('!audio.seeking && audio.readyState >= 2')).toBe(true);
    expect(await audio('audio.currentTime')).toBe(590);
    expect(parts.some((part) => Number(/^bytes (\d+)-/.exec(part)?.[1]) > 1_000_000)).toBe(true);
    expect(await axeProblems(page)).toEqual([]);
  });
});

/** So many seconds of nothing to hear. */
function silence(seconds: number): Buffer {
  const rate = 8_000;
  const head = Buffer.alloc(44);
  head.write('RIFF', 0, 'latin1');
  head.writeUInt32LE(36 + rate * seconds, 4);
  head.write('WAVEfmt ', 8, 'latin1');
  head.writeUInt32LE(16, 16);
  // Uncompressed, one channel.
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(rate, 24);
  head.writeUInt32LE(rate, 28);
  head.writeUInt16LE(1, 32);
  head.writeUInt16LE(8, 34);
  head.write('data', 36, 'latin1');
  head.writeUInt32LE(rate * seconds, 40);
  return Buffer.concat([head, Buffer.alloc(rate * seconds, 128)]);
}
