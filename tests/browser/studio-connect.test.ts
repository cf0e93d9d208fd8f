import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeSurroundings, openWire, type Surroundings, type Wire } from '@croft/mcp/testing';
import type { Locator, Page, Request } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type LaunchedBrowser, WAIT_MS } from './launch-chromium.ts';
import { axeProblems, viewProblems } from './axe-problems.ts';
import { connectMachine } from './connect-machine.ts';
import { cookiesOf, type OpenOptions, type OpenStudio, openStudio, until } from './open-studio.ts';
import { change, studioServers } from './studio-servers.ts';
import { sharedBrowser } from './use-studio.ts';

// All tests use one server without accounts, and leave it as they find it: nothing connected, no direct access.
const servers = studioServers();
let surroundings: Surroundings;
let launched: LaunchedBrowser;
let studio: OpenStudio;
let page: Page;
let wires: Wire[];

beforeAll(async () => {
  surroundings = makeSurroundings();
  writeFileSync(join(surroundings.workspace, 'on-the-laptop.txt'), 'from far away\n');
  launched = await sharedBrowser();
});
afterAll(async () => {
  await servers.stop();
  surroundings?.remove();
});
beforeEach(() => {
  wires = [];
});
afterEach(async () => {
  await Promise.all(wires.map((wire) => wire.kill()));
  await change(studio.visitor, 'POST', '/instance-ai/gateway/disconnect-session', {});
  await studio.close();
});

async function open(options: OpenOptions = {}) {
  studio = await openStudio(launched.browser, servers, { autoLogin: true, path: 'connect', clock: true, ...options });
  page = studio.page;
}

/** A real `croft connect` in another directory. */
function connectFrom(args: readonly string[]): Wire {
  const wire = openWire(['connect', '--json', ...args], { env: surroundings.env, cwd: surroundings.workspace });
  wires.push(wire);
  return wire;
}

/** Fast-forwards past the next search for a daemon, and lets its request arrive. */
async function passTime() {
  await page.clock.fastForward(10_000);
  await page.evaluate("fetch('healthz')");
}

const button = (name: string | RegExp) => page.getByRole('button', { name });
const heading = (name: string | RegExp) => page.getByRole('heading', { name });
const field = (name: string) => page.getByLabel(name, { exact: true });
const connectLink = () => page.getByRole('link', { name: 'Connect', exact: true });
const commandGroup = () => page.getByRole('group', { name: 'Command that connects a folder' });
const shownCommand = async () => ((await commandGroup().locator('code').textContent()) ?? '').replace(/^\$\s*/, '');
/** Copies a command. The page Connect has another one, for agents. */
async function copiedCommand(within: Page | Locator = page.getByRole('region', { name: 'Folder of your computer' })) {
  await within.getByRole('button', { name: 'Copy' }).click();
  await within.getByRole('button', { name: 'Copied' }).waitFor();
  return (await page.evaluate('navigator.clipboard.readText()')) as string;
}

describe('a folder of this computer', () => {
  it('connects by the command that the page shows and copies, pauses and disconnects', async () => {
    await open();
    await page.getByText(/Works once, for another [45]:\d\d/).waitFor();
    const copied = await copiedCommand();
    expect(copied).toBe(await shownCommand());
    const { url } = studio.server;
    const [, token = ''] = / (gw_\S+)$/.exec(copied) ?? [];
    expect(copied).toBe(`npx -y --fetch-retries=0 ${url}/dl/croft.tgz connect ${url} ${token}`);
    const wire = connectFrom([url, token, '--no-listen']);
    await heading('Files connected').waitFor();
    await expect.poll(() => page.locator('dl').textContent()).toContain(surroundings.workspace);
    await page.getByRole('link', { name: 'Folder connected' }).waitFor();
    const read = { filePath: 'on-the-laptop.txt' };
    const answer = await change(studio.visitor, 'POST', '/api/v1/gateway/tools/read-file', read);
    expect(JSON.stringify(answer)).toContain('from far away');
    const toggle = page.getByRole('switch', { name: 'Let agents use this folder' });
    await toggle.click();
    await page.getByText('Paused', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Folder paused' }).waitFor();
    await toggle.click();
    await page.getByText('Agents may read').waitFor();
    await button('Disconnect').click();
    await heading('Connect a folder of your computer').waitFor();
    await wire.ended;
    await connectsAnAgent();
  });

  /** The configuration of a client has the address as the page was opened, and a new key that works. */
  async function connectsAnAgent() {
    const { url, withKey } = studio.server;
    const config = page.getByRole('group', { name: 'Configuration of Claude Code' });
    await config.waitFor();
    // More content than height makes a vertical scrollbar in the row.
    const row = await page.evaluate(
      "(({ scrollHeight, clientHeight }) => [scrollHeight, clientHeight])(document.querySelector('[role=tablist]'))",
    );
    expect((row as number[])[0]).toBe((row as number[])[1]);
    const line = `claude mcp add --transport http croft ${url}/mcp \\\n  --header "Authorization: Bearer `;
    await expect.poll(() => config.textContent()).toBe(`${line}croft_…"`);
    await button('New key').click();
    await page.getByRole('dialog').getByRole('textbox').fill('agent');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Use it in an MCP client').click();
    const text = (await dialog.getByRole('group', { name: 'Configuration of Claude Code' }).textContent()) ?? '';
    const [, key = ''] = /Bearer (croft_[\w-]+)"$/.exec(text) ?? [];
    expect(text).toBe(`${line}${key}"`);
    expect((await withKey(key).request('/api/v1/files')).status).toBe(200);
    await dialog.getByRole('tab', { name: 'Cursor' }).click();
    await expect
      .poll(() => dialog.getByRole('group', { name: 'Configuration of Cursor' }).textContent())
      .toContain(key);
    await dialog.getByText('Flows', { exact: true }).click();
    await dialog.getByRole('tab', { name: 'Claude Code' }).click();
    const flowsLine = `claude mcp add --transport http croft-flows ${url}/mcp/flows \\\n  --header "Authorization: Bearer ${key}"`;
    await expect
      .poll(() => dialog.getByRole('group', { name: 'Configuration of Claude Code' }).textContent())
      .toBe(flowsLine);
    await button('Done').click();
    await page.getByText(`${url}/mcp/flows`, { exact: true }).waitFor();
    expect(await viewProblems(page)).toEqual([]);
  }

  it('is found by the page itself while the panel is open, until its user disconnects it', async () => {
    await open({ path: 'settings/about' });
    const wire = connectFrom(['--port', '0']);
    const isListening = (line: object) => 'type' in line && line.type === 'listening';
    const { port } = (await wire.next(isListening)) as unknown as { port: number };
    const invitations: unknown[] = [];
    // The page knows one port, and a test may use only free ones.
    await page.route(/:7655\//, async (route, request) => {
      if (request.method() === 'POST') invitations.push(request.postDataJSON());
      await route.fulfill({ response: await route.fetch({ url: request.url().replace(':7655', `:${port}`) }) });
    });
    await passTime();
    expect(invitations).toEqual([]);
    await connectLink().click();
    await heading('Files connected').waitFor();
    await expect.poll(() => page.locator('dl').textContent()).toContain(surroundings.workspace);
    expect(invitations).toEqual([{ url: studio.server.url, token: expect.stringMatching(/^gw_/) }]);
    await button('Disconnect').click();
    await heading('Connect a folder of your computer').waitFor();
    await passTime();
    // The choice survives a reload.
    await page.reload();
    await page.getByText('You disconnected.').waitFor();
    await passTime();
    expect(invitations.length).toBe(1);
    await button('Ask it to connect').click();
    await heading('Files connected').waitFor();
    // A disconnect elsewhere is not the choice of this page's user.
    await change(studio.visitor, 'POST', '/instance-ai/gateway/disconnect-session', {});
    await expect.poll(() => invitations.length).toBe(3);
    await heading('Files connected').waitFor();
  });

  it('can refuse to connect: the page says why and shows the command', async () => {
    let refuse = () => {};
    const isRefused = new Promise<void>((resolve) => {
      refuse = resolve;
    });
    let invitations = 0;
    await open({
      beforeLoad: (loading) =>
        loading.route(/:7655\//, async (route, request) => {
          const headers = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' };
          if (request.method() === 'OPTIONS') return route.fulfill({ status: 204, headers });
          if (request.url().endsWith('/health'))
            return route.fulfill({ headers, json: { status: 'ok', connected: false } });
          invitations += 1;
          if (invitations > 1) return route.abort('failed');
          await isRefused;
          return route.fulfill({ status: 403, headers, json: { error: 'Connection rejected by user.' } });
        }),
    });
    studio.expectComplaint(/status of 403/);
    await heading('Connecting …').waitFor();
    refuse();
    await page.getByText('Connection rejected by user.').waitFor();
    await commandGroup().waitFor();
    await button('Ask it to connect').click();
    await page.getByText(/If croft on this computer asks about this page/).waitFor();
  });

  it('gets a new command before the old one ends, and the same one after a reload', async () => {
    // Commands of this server that end sooner, by the page's clock.
    const link = '**/create-link';
    await open({
      beforeLoad: (loading, { visitor }) =>
        loading.route(link, async (route, request) => {
          const created = await change(visitor, 'POST', '/instance-ai/gateway/create-link', request.postDataJSON());
          await route.fulfill({ json: { ...(created as object), ttlSeconds: 50 } });
        }),
    });
    const first = await shownCommand();
    const copied = await copiedCommand();
    expect(copied).not.toBe(first);
    await expect.poll(shownCommand).toBe(copied);
    await page.clock.fastForward(50_000);
    await expect.poll(shownCommand).not.toBe(copied);
    await page.unroute(link);
    const last = await shownCommand();
    await page.reload();
    await expect.poll(() => shownCommand()).toBe(last);
  });

  it('is shown as connected without server events too', async () => {
    await open({
      beforeLoad: (loading) => loading.route('**/api/v1/events*', (route) => route.fulfill({ status: 503 })),
    });
    studio.expectComplaint(/status of 503/);
    await heading('Connect a folder of your computer').waitFor();
    await connectMachine(studio);
    await page.clock.fastForward(3_000);
    await heading('Files connected').waitFor();
  });

  it('that may be changed is shown with all that agents may do', async () => {
    await open();
    await connectMachine(studio, '/home/ada/projects/garden', true);
    await page.getByText('Agents may read, write and delete', { exact: true }).waitFor();
    await page.getByText('Files: read, write and delete', { exact: true }).waitFor();
    expect(await viewProblems(page)).toEqual([]);
  });

  it('is shown as the newest event says, also when an older response arrives after it', async () => {
    await open({ path: 'settings/about' });
    await page.getByRole('link', { name: 'No folder connected' }).waitFor();
    let release = () => {};
    const isReleased = new Promise<void>((resolve) => {
      release = resolve;
    });
    const held = new Promise<Request>((resolve) => {
      void page.route(
        /gateway\/status/,
        async (route, request) => {
          const response = await route.fetch();
          resolve(request);
          await isReleased;
          // The page may have cancelled the request.
          await route.fulfill({ response }).catch(() => undefined);
        },
        { times: 1 },
      );
    });
    // The page loads the status again when it is older than 10 s. It may just have done that, because its events began.
    let older: Request | undefined;
    while (older === undefined) {
      await page.clock.fastForward(11_000);
      await connectLink().click();
      older = await Promise.race([held, sleep(1_000).then(() => undefined)]);
      if (older === undefined) await page.goBack();
    }
    await connectMachine(studio);
    await heading('Files connected').waitFor();
    release();
    // Without a response if the page has cancelled the request.
    await older.response();
    await passTime();
    await expect.poll(() => heading('Files connected').count()).toBe(1);
  });

  it('is shown again as it is when the server was away', async () => {
    await open();
    studio.expectComplaint(/ERR_INTERNET_DISCONNECTED/);
    const machine = await connectMachine(studio);
    await heading('Files connected').waitFor();
    // The open stream stays. The page opens another when its user comes back to it.
    await page.route('**/*', (route) => route.abort('internetdisconnected'));
    const isAway = async () => {
      await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
      return page.getByText('Croft does not answer.').isVisible();
    };
    await expect.poll(isAway, { interval: 1_000, timeout: WAIT_MS }).toBe(true);
    await page.getByText('Croft is not reachable').first().waitFor();
    expect(await axeProblems(page)).toEqual([]);
    await Promise.all([page.waitForRequest(/healthz/), button('Try now').click()]);
    await machine.leave();
    await connectMachine(studio, '/somewhere/else');
    await page.unroute('**/*');
    await page.clock.fastForward(8_000);
    await page.getByText('/somewhere/else').waitFor();
    await page.getByText('Croft does not answer.').waitFor({ state: 'detached' });
    await page.getByText('Agents may read').waitFor();
    // The page receives events again.
    await change(studio.visitor, 'POST', '/instance-ai/gateway/disconnect-session', {});
    await heading('Connect a folder of your computer').waitFor();
  });
});

describe('a directory of the server itself', () => {
  const card = () => page.getByRole('region', { name: 'The machine Croft runs on' });
  const directories = (path: string) => page.getByRole('group', { name: `Directories in ${path}`, exact: true });

  it('is found by mouse and keyboard, and read by agents until it is removed', async () => {
    const home = join(surroundings.root, 'ada');
    for (const name of ['croft', 'letters \u202Egpj.exe', 'projects/fence', 'projects/garden'])
      mkdirSync(join(home, name), { recursive: true });
    writeFileSync(join(home, 'projects/garden/plan.txt'), 'beds for kale\n');
    await open();
    studio.expectComplaint(/status of 400/);
    await button('Pick a directory').click();
    await page.getByRole('group', { name: /^Directories in / }).waitFor();
    await expect.poll(() => field('Directory').inputValue()).toBe('');
    await field('Directory').fill('projects');
    await button('Let agents read it').click();
    await page.getByText('Give the whole path of a directory').waitFor();
    await field('Directory').fill(join(home, 'nowhere'));
    await page.getByText('There is no such directory').waitFor();
    await field('Directory').fill('/');
    await page.getByText('This is the whole disk').waitFor();
    await field('Directory').fill(home);
    await directories(home).waitFor();
    await button('letters U+202Egpj.exe').waitFor();
    expect(await viewProblems(page)).toEqual([]);
    await button('projects').click();
    await directories(join(home, 'projects')).waitFor();
    await expect.poll(() => field('Directory').inputValue()).toBe(join(home, 'projects'));
    // The focus is where the user continues.
    for (const name of ['Up', 'fence', 'garden']) {
      await page.keyboard.press('Tab');
      await until(page, `document.activeElement.textContent.includes('${name}')`);
    }
    await page.keyboard.press('Enter');
    await page.getByText('No directories in it.').waitFor();
    await expect.poll(() => field('Directory').inputValue()).toBe(join(home, 'projects/garden'));
    await button('Let agents read it').click();
    await card().getByText('Agents may read', { exact: true }).waitFor();
    await card().getByText(join(home, 'projects/garden'), { exact: true }).waitFor();
    const read = { filePath: 'plan.txt' };
    const answer = await change(studio.visitor, 'POST', '/api/v1/gateway/tools/read-file', read);
    expect(JSON.stringify(answer)).toContain('beds for kale');
    await button('Remove').click();
    await button('Pick a directory').waitFor();
  });

  it('is typed if the server lists none, and is paused and not used while a folder is connected', async () => {
    const { workspace } = surroundings;
    await open();
    studio.expectComplaint(/status of 403/);
    await studio.refuse(/local-access\/picking/, 403, 'forbidden');
    await button('Pick a directory').click();
    await field('Directory').fill(workspace);
    expect(await page.getByRole('group', { name: /^Directories/ }).count()).toBe(0);
    await button('Let agents read it').click();
    await card().getByText(workspace, { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Direct access on' }).waitFor();
    const toggle = card().getByRole('switch', { name: 'Let agents read this directory' });
    await toggle.click();
    await card().getByText('Paused', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Direct access paused' }).waitFor();
    const isEnabled = async () =>
      (await studio.visitor.json<{ data: { enabled: boolean } }>('/instance-ai/gateway/status')).body.data.enabled;
    await expect.poll(isEnabled).toBe(false);
    expect(await axeProblems(page)).toEqual([]);
    await toggle.click();
    await card().getByText('Agents may read').waitFor();
    await connectMachine(studio);
    await card().getByText('Not used now').waitFor();
    expect(await toggle.count()).toBe(0);
    await button('Remove').click();
    await button('Pick a directory').waitFor();
  });
});

describe('a server without accounts', () => {
  it('shows a command instead of a sign-in, and the page when the command let the browser in', async () => {
    await open({ signedIn: false, path: 'settings/users' });
    await heading('Open it from your terminal').waitFor();
    expect(await viewProblems(page)).toEqual([]);
    expect(await copiedCommand(page)).toBe('croft open');
    await page.context().addCookies(cookiesOf(studio, studio.url));
    await page.clock.fastForward(3_000);
    await heading('Account').waitFor();
    await page.getByText('There are no passwords here').waitFor();
    expect(await page.getByRole('link', { name: 'Users' }).count()).toBe(0);
    expect(await button('Sign out').count()).toBe(0);
  });

  it('says on the page Files that agents use the same tree', async () => {
    await open({ path: 'files', mine: true });
    await page.getByText('over MCP and REST. mine/ holds your own files.').waitFor();
    await page.getByText('Your own', { exact: true }).waitFor();
  });
});
