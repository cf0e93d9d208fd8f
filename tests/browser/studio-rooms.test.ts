import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type LaunchedBrowser, launchChromium } from './launch-chromium.ts';
import { axeProblems } from './axe-problems.ts';
import { BROWSER_TEST_MS, buildStudioOnce, type OpenStudio, openStudio, until } from './open-fake.ts';

let launched: LaunchedBrowser;
let studio: OpenStudio;
let page: Page;

beforeAll(async () => {
  [launched] = await Promise.all([launchChromium(), buildStudioOnce()]);
}, 60_000);
afterAll(async () => launched?.close());
afterEach(async () => studio?.close());

async function open(...options: Parameters<typeof openStudio> extends [Browser, ...infer Rest] ? Rest : never) {
  studio = await openStudio(launched.browser, ...options);
  page = studio.page;
}

const button = (name: string | RegExp) => page.getByRole('button', { name });
const heading = (name: string | RegExp) => page.getByRole('heading', { name });
const field = (name: string) => page.getByLabel(name, { exact: true });
/** The daemon of this computer, as the browser would meet it; returns what it was sent. */
async function daemon(answers: { health: number; connect: number; connectBody?: object }) {
  const invitations: { url: string; token: string }[] = [];
  await page.route(/:7655\//, async (route) => {
    const headers = { 'access-control-allow-origin': new URL(page.url()).origin, vary: 'Origin' };
    const request = route.request();
    if (request.method() === 'OPTIONS')
      return route.fulfill({ status: 204, headers: { ...headers, 'access-control-allow-headers': 'content-type' } });
    if (request.url().endsWith('/health'))
      return answers.health === 200
        ? route.fulfill({ status: 200, headers, json: { status: 'ok', connected: false } })
        : route.abort('connectionrefused');
    invitations.push(request.postDataJSON() as { url: string; token: string });
    return answers.connect === 0
      ? route.abort('failed')
      : route.fulfill({ status: answers.connect, headers, json: answers.connectBody ?? { status: 'connected' } });
  });
  return { invitations, answers };
}

describe('the door', { timeout: BROWSER_TEST_MS }, () => {
  it('lets in by name and password, keeps the address, and out again', async () => {
    await open({ signedIn: false, path: 'settings/keys' });
    studio.expectComplaint(/status of 401/);
    await heading('Sign in').waitFor();
    await page.keyboard.type('ada@croft.example');
    await page.keyboard.press('Tab');
    await page.keyboard.type('wrong');
    await page.keyboard.press('Enter');
    await page.getByText('The name or the password is wrong.').waitFor();
    // The wrong one is selected, so that typing replaces it.
    await until(page, "document.activeElement.name === 'password'");
    await page.keyboard.type('correct horse');
    await page.keyboard.press('Enter');
    await heading('API keys').waitFor();
    expect(new URL(page.url()).pathname).toBe('/settings/keys');
    await button('Sign out').click();
    await heading('Sign in').waitFor();
  });

  it('says how long to wait after too many tries', async () => {
    await open({ signedIn: false });
    studio.expectComplaint(/status of 4(01|29)/);
    studio.fake.state.failedSignIns = 4;
    await field('Email or name').fill('ada@croft.example');
    await field('Password').fill('guess');
    await button('Sign in').click();
    await page.getByText(/You can try again in \d+ s\./).waitFor();
    expect(await button('Sign in').isDisabled()).toBe(true);
  });

  it('shows the command where there are no passwords, and goes on when the browser is let in', async () => {
    await open({ signedIn: false, autoLogin: true });
    await heading('Open it from your terminal').waitFor();
    await button('Copy').click();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe('croft open');
    studio.fake.state.options.signedIn = true;
    await page.clock.fastForward(3_000);
    await heading('Files').waitFor();
    expect(await button('Sign out').count()).toBe(0);
  });

  it('is shown again when the session ends meanwhile', async () => {
    await open();
    studio.expectComplaint(/status of 401/);
    await page.getByText('README.md').waitFor();
    studio.fake.state.options.signedIn = false;
    await page.getByRole('link', { name: 'projects' }).click();
    await heading('Sign in').waitFor();
  });

  it('says when the server cannot be reached, and tries again', async () => {
    await open({ path: 'settings/about' });
    studio.expectComplaint(/status of 500/);
    await heading(/^Croft/).waitFor();
    studio.fake.state.failing = /api\/v1\/me/;
    await page.reload();
    await page.getByText('Croft cannot be reached').waitFor();
    studio.fake.state.failing = undefined;
    await button('Try again').click();
    await heading(/^Croft/).waitFor();
  });
});

describe('pages', { timeout: BROWSER_TEST_MS }, () => {
  it('show no placeholder when their code is loaded', async () => {
    await open();
    const [code] = await Promise.all([page.waitForResponse(/connect-room/), page.reload()]);
    await page.evaluate(`import('${code.url()}')`);
    // React renders in a microtask after the click.
    const shown = `(async () => {
      document.querySelector('nav a[href$="connect"]').click();
      await null;
      return document.querySelector('main').innerText;
    })()`;
    expect(await page.evaluate(shown)).toContain('Agents on this server can read a folder');
  });
});

/** Fast-forwards past the next poll for a daemon, and lets its request arrive. */
async function passTime() {
  await page.clock.fastForward(10_000);
  await page.evaluate("fetch('healthz')");
}

describe('connecting a folder', { timeout: BROWSER_TEST_MS }, () => {
  it('shows the command, copies it, and turns green when a machine connects', async () => {
    await open({ path: 'connect' });
    await heading('Connect a folder of your computer').waitFor();
    const command = await page
      .getByRole('group', { name: 'Command that connects a folder' })
      .locator('code')
      .textContent();
    await button('Copy').click();
    await button('Copied').waitFor();
    const copied = await page.evaluate('navigator.clipboard.readText()');
    expect(copied).toMatch(
      /^npx -y --fetch-retries=0 http:\/\/localhost:7860\/dl\/croft\.tgz connect http:\/\/localhost:7860 gw_\w+$/,
    );
    expect(command?.replace(/^\$\s*/, '')).toBe(copied);
    await page.getByText(/Works once, for another [45]:\d\d/).waitFor();
    studio.fake.state.connectGateway();
    await heading('Files connected').waitFor();
    const facts = (await page.locator('dl').textContent()) ?? '';
    expect(facts).toContain('/home/ada/projects/garden');
    expect(facts).toContain('ada@larch');
    expect(facts).toContain('4 min. ago');
    await page.getByRole('link', { name: 'Folder connected' }).waitFor();
  });

  it('pauses, goes on, and disconnects', async () => {
    await open({ path: 'connect' });
    studio.fake.state.connectGateway();
    const toggle = page.getByRole('switch', { name: 'Let agents use this folder' });
    await toggle.click();
    await page.getByText('Paused', { exact: true }).waitFor();
    expect(studio.fake.state.gateway.enabled).toBe(false);
    await toggle.click();
    await page.getByText('Agents may read').waitFor();
    await button('Disconnect').click();
    await heading('Connect a folder of your computer').waitFor();
    expect(studio.fake.state.gateway.connected).toBe(false);
  });

  it('hears of it without events too', async () => {
    await open({ path: 'connect' });
    studio.expectComplaint(/status of 503/);
    studio.fake.state.noEvents = true;
    await page.reload();
    await heading('Connect a folder of your computer').waitFor();
    studio.fake.state.gateway = { ...studio.fake.state.gateway, connected: true, directory: '/srv/data' };
    await page.clock.fastForward(3_000);
    await heading('Files connected').waitFor();
  });

  it('keeps the command that was copied when the page is loaded again', async () => {
    await open({ path: 'connect' });
    const shown = () =>
      page.getByRole('group', { name: 'Command that connects a folder' }).locator('code').textContent();
    const before = await shown();
    await page.reload();
    expect(await shown()).toBe(before);
  });

  it('makes a new command when the old one is about to end, before it is copied', async () => {
    await open({ path: 'connect', pairingTtlS: 30 });
    await heading('Connect a folder of your computer').waitFor();
    await button('Copy').click();
    await button('Copied').waitFor();
    const copied = (await page.evaluate('navigator.clipboard.readText()')) as string;
    expect(copied).toContain(`${studio.fake.state.links}`.padStart(12, '0'));
    const before = studio.fake.state.links;
    await page.clock.fastForward(30_000);
    await until(page, `!document.querySelector('code').textContent.includes('${`${before}`.padStart(12, '0')}')`);
    expect(studio.fake.state.links).toBe(before + 1);
  });

  it('finds croft on this computer by itself, and only while the panel is open', async () => {
    await open({ path: 'settings/about' });
    const { invitations, answers } = await daemon({ health: 200, connect: 200 });
    await passTime();
    expect(invitations).toEqual([]);
    await page.getByRole('link', { name: 'Connect', exact: true }).click();
    await heading('Connecting …').waitFor();
    await expect
      .poll(() => invitations, { timeout: BROWSER_TEST_MS })
      .toEqual([{ url: studio.fake.url.replace(/\/$/, ''), token: expect.stringMatching(/^gw_/) }]);
    studio.fake.state.connectGateway();
    await heading('Files connected').waitFor();
    // After a disconnect by the user, the page does not reconnect by itself.
    answers.connect = 200;
    await button('Disconnect').click();
    await heading('Connect a folder of your computer').waitFor();
    await passTime();
    expect(invitations.length).toBe(1);
    // Nor after a reload, until the user asks for it.
    await page.reload();
    await page.getByText('You disconnected.').waitFor();
    await passTime();
    expect(invitations.length).toBe(1);
    await button('Ask it to connect').click();
    await expect.poll(() => invitations.length, { timeout: BROWSER_TEST_MS }).toBe(2);
    studio.fake.state.connectGateway();
    await heading('Files connected').waitFor();
    studio.fake.state.setGateway({ connected: false });
    await heading('Connecting …').waitFor();
  });

  it('says when the server ends, tries again, and shows what is so when it is back', async () => {
    await open({ path: 'connect' });
    studio.expectComplaint(/ERR_(CONNECTION_REFUSED|EMPTY_RESPONSE|CONNECTION_RESET|INCOMPLETE_CHUNKED_ENCODING)/);
    studio.fake.state.connectGateway();
    await heading('Files connected').waitFor();
    await studio.fake.end();
    await page.getByText('Croft does not answer.').waitFor();
    await page.getByText('Croft is not reachable').first().waitFor();
    expect(await axeProblems(page)).toEqual([]);
    await Promise.all([page.waitForRequest(/healthz/), button('Try now').click()]);
    studio.fake.state.gateway = { ...studio.fake.state.gateway, directory: '/somewhere/else' };
    await studio.fake.listenAgain();
    await page.clock.fastForward(8_000);
    await page.getByText('/somewhere/else').waitFor();
    await page.getByText('Croft does not answer.').waitFor({ state: 'detached' });
    await page.getByText('Agents may read').waitFor();
    // The page receives events again.
    studio.fake.state.setGateway({ enabled: false });
    await page.getByText('Paused', { exact: true }).waitFor();
  });

  it('keeps what an event said when an older answer arrives after it', async () => {
    await open({ path: 'settings/about' });
    await heading(/^Croft/).waitFor();
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const asked = new Promise<void>((resolve) => {
      void page.route(/gateway\/status/, async (route) => {
        const older = await route.fetch();
        resolve();
        await released;
        // The page may have cancelled the request by now.
        await route.fulfill({ response: older }).catch(() => undefined);
      });
    });
    await page.reload();
    await page.getByRole('link', { name: 'Connect', exact: true }).click();
    await asked;
    studio.fake.state.connectGateway();
    await heading('Files connected').waitFor();
    release();
    await passTime();
    expect(await heading('Files connected').count()).toBe(1);
  });

  it('says why croft on this computer did not come, and falls back to the command', async () => {
    await open({ path: 'settings/about' });
    studio.expectComplaint(/status of 403/);
    const said = await daemon({ health: 200, connect: 403, connectBody: { error: 'Connection rejected by user.' } });
    await page.getByRole('link', { name: 'Connect', exact: true }).click();
    await page.getByText('Connection rejected by user.').waitFor();
    await page.getByRole('group', { name: 'Command that connects a folder' }).waitFor();
    said.answers.connect = 0;
    await button('Ask it to connect').click();
    await page.getByText(/If croft on this computer asks about this page/).waitFor();
  });

  it('asks for a directory of the machine itself, once, and takes it back', async () => {
    await open({ path: 'connect', autoLogin: true });
    studio.expectComplaint(/status of 400/);
    await button('Pick a directory').click();
    await field('Directory').fill('projects');
    await button('Let agents read it').click();
    await page.getByText('Write the directory from the top').waitFor();
    await field('Directory').fill('/home/ada');
    await button('Let agents read it').click();
    await page.getByText('/home/ada', { exact: true }).waitFor();
    await button('Remove').click();
    await button('Pick a directory').waitFor();
  });

  it('shows the directories of that machine to go through, by mouse and by keyboard', async () => {
    await open({ path: 'connect', autoLogin: true });
    studio.expectComplaint(/status of 4(00|03)/);
    await button('Pick a directory').click();
    await page.getByRole('group', { name: 'Directories in /home/ada' }).waitFor();
    expect(await field('Directory').inputValue()).toBe('');
    await button('letters U+202Egpj.exe').waitFor();
    await button('projects').click();
    await page.getByRole('group', { name: 'Directories in /home/ada/projects' }).waitFor();
    expect(await field('Directory').inputValue()).toBe('/home/ada/projects');
    // The focus is where the user continues.
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toContain('Up');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('No directories in it.').waitFor();
    expect(await field('Directory').inputValue()).toBe('/home/ada/projects/garden');
    expect(await axeProblems(page)).toEqual([]);
    await field('Directory').fill('/nowhere');
    await page.getByText('There is no such directory').waitFor();
    await field('Directory').fill('/');
    await page.getByText('This is the whole disk').waitFor();
    await button('home').click();
    await button('Take this one').waitFor({ state: 'detached' });
    await button('Let agents read it').click();
    await page.getByText('/home', { exact: true }).waitFor();
    await button('Remove').click();
    // If the server lists no directories, the user types the path.
    await page.route('**/local-access/picking', (route) =>
      route.fulfill({ status: 403, json: { error: { code: 'forbidden', message: 'Not here.' } } }),
    );
    await button('Pick a directory').click();
    await field('Directory').fill('/home/ada');
    expect(await page.getByRole('group', { name: /^Directories/ }).count()).toBe(0);
    await button('Let agents read it').click();
    await page.getByText('/home/ada', { exact: true }).waitFor();
  });
});

describe('direct access', { timeout: BROWSER_TEST_MS }, () => {
  it('is shown with its switch, which takes it from agents and gives it back', async () => {
    await open({ path: 'connect', autoLogin: true, localAccess: 'on' });
    const card = page.getByRole('region', { name: 'The machine Croft runs on' });
    await card.getByText('Agents may read').waitFor();
    await page.getByRole('link', { name: 'Direct access on' }).waitFor();
    const toggle = card.getByRole('switch', { name: 'Let agents read this directory' });
    await toggle.click();
    await card.getByText('Paused', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Direct access paused' }).waitFor();
    expect(studio.fake.state.gateway.enabled).toBe(false);
    expect(await axeProblems(page)).toEqual([]);
    await toggle.click();
    await card.getByText('Agents may read').waitFor();
    studio.fake.state.connectGateway();
    await card.getByText('Not used now').waitFor();
    expect(await toggle.count()).toBe(0);
  });
});

describe('settings', { timeout: BROWSER_TEST_MS }, () => {
  it('make a key, show it once, and revoke it', async () => {
    await open({ path: 'settings/keys' });
    await button('New key').click();
    await page.keyboard.type('a script');
    await page.keyboard.press('Enter');
    await heading('Copy the key now').waitFor();
    await button('Copy key').click();
    await button('Copied').waitFor();
    const secret = (await page.evaluate('navigator.clipboard.readText()')) as string;
    expect(secret).toMatch(/^croft_/);
    await button('Done').click();
    await button('Revoke a script').waitFor();
    expect(await page.content()).not.toContain(secret);
    await button('Revoke a script').click();
    // The dialog focuses the button that deletes nothing.
    await until(page, "document.activeElement.textContent === 'Cancel'");
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await button('Revoke a script').waitFor({ state: 'detached' });
  });

  it('show the shared folder to all users, to read or to write', async () => {
    await open({ path: 'settings/users' });
    const card = page.getByRole('region', { name: 'Shared folder' });
    await card.getByText('see only their own files').waitFor();
    await card.getByRole('radio', { name: 'Read only' }).click();
    await card.getByText('cannot change them').waitFor();
    await expect.poll(() => studio.fake.state.sharedMode).toBe('read');
    await page.reload();
    await card.getByText('cannot change them').waitFor();
    expect(await axeProblems(page)).toEqual([]);
  });

  it('add, promote, disable and delete users, but not oneself', async () => {
    await open({ path: 'settings/users' });
    studio.expectComplaint(/status of 409/);
    await page.getByText('Ben Hedge').waitFor();
    expect(await button('Actions for Ada Field').count()).toBe(0);
    await button('Add user').click();
    await field('Name').fill('Dan Gate');
    await field('Email or sign-in name').fill('ben@croft.example');
    await field('First password').fill('long enough');
    await page.getByRole('dialog').getByRole('button', { name: 'Add user' }).click();
    await page.getByText('Somebody with this email is already here.').waitFor();
    await field('Email or sign-in name').fill('dan@croft.example');
    await page.keyboard.press('Enter');
    const line = page.getByRole('listitem').filter({ hasText: 'Dan Gate' });
    await line.waitFor();
    await button('Actions for Dan Gate').click();
    await page.getByRole('menuitem', { name: 'Make administrator' }).click();
    await line.getByText('Administrator').waitFor();
    await button('Actions for Dan Gate').click();
    await page.getByRole('menuitem', { name: 'Disable' }).click();
    await line.getByText('Disabled').waitFor();
    await button('Actions for Dan Gate').click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await button('Delete user').click();
    await line.waitFor({ state: 'detached' });
    expect(studio.fake.state.users.map(({ id }) => id)).toEqual(['u1', 'u2', 'u3']);
  });

  it('change name and password, and say what is wrong with the old one', async () => {
    await open({ path: 'settings/account' });
    studio.expectComplaint(/status of 401/);
    await field('Name').fill('Ada Meadow');
    await button('Save').click();
    await page.getByRole('banner').getByText('Ada Meadow').waitFor();
    await field('Current password').fill('not it');
    await field('New password').fill('short');
    await button('Change password').click();
    await page.getByText('Use at least 8 characters.').waitFor();
    await field('New password').fill('long enough');
    await button('Change password').click();
    await page.getByText('This is not your password now.').waitFor();
    await field('Current password').fill('correct horse');
    await button('Change password').click();
    await page.getByText('Password changed.').waitFor();
  });

  it('remember the theme, from before the first paint', async () => {
    await open({ path: 'settings/appearance' });
    const ground = () => page.evaluate('getComputedStyle(document.documentElement).backgroundColor');
    const light = await ground();
    await page.getByRole('radio', { name: 'Dark' }).check();
    const dark = await ground();
    expect(dark).not.toBe(light);
    await page.reload({ waitUntil: 'commit' });
    await until(page, "document.documentElement.dataset.theme === 'dark'");
    // Nothing is painted before the style sheet is there.
    await expect.poll(ground).not.toBe('rgba(0, 0, 0, 0)');
    expect(await ground()).toBe(dark);
    await page.getByRole('radio', { name: 'System' }).check();
    expect(await ground()).toBe(light);
  });

  it('show users only to administrators of a server with sign-in', async () => {
    await open({ path: 'settings/users', autoLogin: true });
    await heading('Account').waitFor();
    expect(await page.getByRole('link', { name: 'Users' }).count()).toBe(0);
    await page.getByText('There are no passwords here').waitFor();
  });
});
