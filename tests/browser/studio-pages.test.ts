import { join } from 'node:path';
import type { Page, Response, Route } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { axeProblems, viewProblems } from './axe-problems.ts';
import { connectMachine } from './connect-machine.ts';
import { type OpenOptions, type OpenStudio, until } from './open-studio.ts';
import { ADA, change, filesIn } from './studio-servers.ts';
import { useStudio } from './use-studio.ts';

const opener = useStudio();
let studio: OpenStudio;
let page: Page;

async function open(options: OpenOptions = {}) {
  studio = await opener.open(options);
  page = studio.page;
}

const button = (name: string | RegExp) => page.getByRole('button', { name });
const heading = (name: string | RegExp) => page.getByRole('heading', { name });
const field = (name: string) => page.getByLabel(name, { exact: true });
const problem = (code: string) => ({ error: { code, message: 'The test refuses this request.' } });
/** Adds a second user, unless a test did before. */
async function addBen() {
  const json = { name: 'Ben Hedge', email: 'ben@croft.example', password: 'correct horse' };
  await studio.visitor.request('/api/v1/users', { method: 'POST', json, headers: { 'x-croft': '1' } });
}

type View = readonly [name: string, path: string, ready: RegExp, act?: () => Promise<void>];

/** Every view of a server with accounts, and how to get it into the state to examine. */
const VIEWS: readonly View[] = [
  ['files', 'files', /README/],
  ['files chosen', 'files', /README/, () => page.getByRole('checkbox', { name: 'Select README.md' }).check()],
  ['a document', 'files?file=README.md', /Good fences/],
  ['a text', 'files?file=field-notes.txt', /20 beans/],
  ['a picture', 'files?file=garden-plan.png', /garden-plan/],
  // Few results: axe takes 12 s for 200.
  ['search', 'files?q=kale&in=content', /results for/],
  ['nothing found', 'files?q=zebra', /Nothing found/],
  ['an empty folder', 'files?dir=empty', /This folder is empty/],
  ['a mount', 'files?dir=shared', /read-only here/],
  ['a dialog', 'files', /README/, () => page.getByRole('button', { name: 'New folder' }).click()],
  ['connect', 'connect', /Works once/],
  ['account', 'settings/account', /Change password/],
  ['keys', 'settings/keys', /this machine/],
  ['workers', 'settings/workers', /No worker has started yet/],
  ['users', 'settings/users', /Ben Hedge/],
  ['audit log', 'settings/audit', /127\.0\.0\.1/],
  ['activity', 'settings/activity', /Recent changes/],
  ['appearance', 'settings/appearance', /Remembered by/],
  ['about', 'settings/about', /no telemetry/],
  ['no such page', 'nowhere', /Page not found/],
  ['the kit', 'kit', /Over the page/],
];

describe('every view', () => {
  /** Shows a page without loading the studio again. Shows another page first: a new page has no open dialog. */
  async function goTo(path: string): Promise<void> {
    for (const to of ['between', path])
      await page.evaluate(
        `history.pushState(null, '', ${JSON.stringify(to)}); dispatchEvent(new PopStateEvent('popstate'))`,
      );
  }

  it('is accessible, light and dark, and as wide as a phone', async () => {
    await open({ path: 'kit', files: { shared: 'hidden by the mount' } });
    const { visitor, server, files } = studio;
    await change(visitor, 'PUT', '/api/v1/shared-mount', { mode: 'read' });
    onTestFinished(async () => void (await change(visitor, 'PUT', '/api/v1/shared-mount', { mode: 'off' })));
    filesIn(join(server.baseDir, 'workspaces/shared')).write('house-rules.md', '# House rules');
    files.makeFolder('empty');
    await addBen();
    await change(visitor, 'POST', '/api/v1/keys', { name: 'this machine' });
    for (const [name, path, ready, act] of VIEWS) {
      await goTo(path);
      await page.getByText(ready).first().waitFor();
      await act?.();
      expect([name, await viewProblems(page)]).toEqual([name, []]);
    }
    const machine = await connectMachine(studio);
    await goTo('connect');
    await heading('Files connected').waitFor();
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await viewProblems(page)).toEqual([]);
    await goTo('files?file=README.md');
    await page.getByText('Good fences').waitFor();
    expect(await viewProblems(page)).toEqual([]);
    await machine.leave();
  });
});

describe('the user who is signed in', () => {
  it('is named on a wide page, in the narrow rail beside a flow, and on a phone', async () => {
    await open({ path: 'runs' });
    const name = page.getByText(ADA.name, { exact: true });
    await name.waitFor();
    await page.setViewportSize({ width: 360, height: 740 });
    const box = await name.boundingBox();
    expect(box?.width).toBeGreaterThan(30);
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThan(360);
    await page.setViewportSize({ width: 1_200, height: 800 });
    await change(studio.visitor, 'POST', '/api/v1/flows', { template: 'chat' });
    await page.getByRole('link', { name: 'Flows', exact: true }).click();
    await page.getByRole('region', { name: 'Flows' }).getByRole('link').first().click();
    await page.getByRole('toolbar', { name: 'Edit the flow' }).waitFor();
    await page.getByTitle(`${ADA.name}, ${ADA.login}`).getByText('AF', { exact: true }).waitFor();
    expect(await viewProblems(page)).toEqual([]);
  });
});

describe('signing in', () => {
  it('needs the right password, says how long to wait after too many attempts, and keeps the address', async () => {
    await open({ signedIn: false, path: 'settings/keys', clock: true });
    studio.expectComplaint(/status of 4(01|29)/);
    await heading('Sign in').waitFor();
    expect(await viewProblems(page)).toEqual([]);
    await page.keyboard.type(ADA.login);
    await page.keyboard.press('Tab');
    await page.keyboard.type('wrong');
    const limit = (route: Route) =>
      route.fulfill({ status: 429, headers: { 'Retry-After': '120' }, json: problem('too_many_attempts') });
    await page.route('**/api/v1/session', limit);
    await page.keyboard.press('Enter');
    await page.getByText('You can try again in 2 min.').waitFor();
    await expect.poll(() => button('Sign in').isDisabled()).toBe(true);
    const alert = page.getByRole('alert').filter({ hasText: 'Too many attempts' });
    const announced = await alert.textContent();
    expect(await viewProblems(page)).toEqual([]);
    // Another person may sign in here meanwhile.
    const name = page.getByLabel('Email or name');
    await name.fill('grace');
    expect([await button('Sign in').isDisabled(), await alert.count()]).toEqual([false, 0]);
    await name.fill(` ${ADA.login.toUpperCase()}`);
    await expect.poll(() => button('Sign in').isDisabled()).toBe(true);
    await name.fill(ADA.login);
    await page.unroute('**/api/v1/session', limit);
    await page.clock.fastForward(100_000);
    await page.getByText(/You can try again in \d+ s\./).waitFor();
    // The countdown is not part of the alert, which a screen reader would read every second.
    expect(await alert.textContent()).toBe(announced);
    await page.clock.fastForward(20_000);
    await page.getByText('You can try again now.').waitFor();
    await button('Sign in').click();
    await page.getByText('The name or the password is not right.').waitFor();
    // The wrong password is selected, so that typing replaces it.
    await until(page, "document.activeElement.name === 'password'");
    await page.keyboard.type(ADA.password);
    await page.keyboard.press('Enter');
    await heading('API keys').waitFor();
    expect(new URL(page.url()).pathname).toBe('/settings/keys');
  });

  it('is necessary again when the session has ended', async () => {
    await open();
    studio.expectComplaint(/status of 401/);
    await page.getByText('README.md').waitFor();
    await page.context().clearCookies();
    // A request that the page makes by itself may notice first; then the link is gone.
    await Promise.race([page.getByRole('link', { name: 'projects' }).click(), heading('Sign in').waitFor()]);
    await heading('Sign in').waitFor();
  });
});

describe('the frame of the pages', () => {
  it('says when the server cannot be reached, and tries again', async () => {
    let isAway = true;
    await open({
      path: 'settings/about',
      beforeLoad: (loading) =>
        loading.route('**/api/v1/me', (route) =>
          isAway ? route.fulfill({ status: 500, json: problem('internal') }) : route.fallback(),
        ),
    });
    studio.expectComplaint(/status of 500/);
    await page.getByText('Croft cannot be reached').waitFor();
    isAway = false;
    await button('Try again').click();
    await heading(/^Croft/).waitFor();
  });

  it('shows the page of the address, also if the address changed while code was loading', async () => {
    let release = () => {};
    const isReleased = new Promise<void>((resolve) => {
      release = resolve;
    });
    await open({
      path: 'kit',
      beforeLoad: (loading) => loading.route(/kit-page/, (route) => isReleased.then(() => route.fallback())),
    });
    await page.evaluate("history.pushState(null, '', 'files'); dispatchEvent(new PopStateEvent('popstate'))");
    release();
    await page.getByText('README.md').waitFor();
  });

  it('shows no placeholder for a page whose code is loaded', async () => {
    let code: Promise<Response> | undefined;
    await open({
      async beforeLoad(loading) {
        code = loading.waitForResponse(/connect-page/);
      },
    });
    await page.evaluate(`import('${(await code)?.url()}')`);
    // React renders in a microtask after the click.
    const shown = `(async () => {
      document.querySelector('nav a[href$="connect"]').click();
      await null;
      return document.querySelector('main').innerText;
    })()`;
    expect(await page.evaluate(shown)).toContain('Agents on this server can read a folder');
  });
});

describe('settings', () => {
  it('make a key, show it once, and revoke it', async () => {
    await open({ path: 'settings/keys' });
    await button('New key').click();
    await page.keyboard.type('a script');
    await page.keyboard.press('Enter');
    await heading('Copy the key now').waitFor();
    await button('Copy key').click();
    await button('Copied').waitFor();
    const secret = (await page.evaluate('navigator.clipboard.readText()')) as string;
    const status = async () => (await studio.server.withKey(secret).request('/api/v1/files')).status;
    expect(await status()).toBe(200);
    await button('Done').click();
    await button('Revoke a script').waitFor();
    expect(await page.content()).not.toContain(secret);
    await button('Revoke a script').click();
    // The dialog focuses the button that deletes nothing.
    await until(page, "document.activeElement.textContent === 'Cancel'");
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await button('Revoke a script').waitFor({ state: 'detached' });
    expect(await status()).toBe(401);
  });

  it('show the shared folder to all users, and add, promote, disable and delete users, but not oneself', async () => {
    await open({ path: 'settings/users' });
    studio.expectComplaint(/status of 409/);
    await addBen();
    const card = page.getByRole('region', { name: 'Shared folder' });
    await card.getByText('see only their own files').waitFor();
    await card.getByRole('radio', { name: 'Read only' }).click();
    await card.getByText('cannot change them').waitFor();
    const mode = async () => (await studio.visitor.json('/api/v1/shared-mount')).body;
    await expect.poll(mode).toEqual({ mode: 'read' });
    await card.getByRole('radio', { name: 'Off' }).click();
    await expect.poll(mode).toEqual({ mode: 'off' });
    expect(await button('Actions for Ada Field').count()).toBe(0);
    await button('Add user').click();
    await field('Name').fill('Dan Gate');
    await field('Email or sign-in name').fill('ben@croft.example');
    await field('First password').fill('long enough');
    await page.getByRole('dialog').getByRole('button', { name: 'Add user' }).click();
    await page.getByText('There is a user with this e-mail address already.').waitFor();
    await field('Email or sign-in name').fill('dan@croft.example');
    await page.keyboard.press('Enter');
    const line = page.getByRole('listitem').filter({ hasText: 'Dan Gate' });
    await line.waitFor();
    const dan = async () => {
      const { body } = await studio.visitor.json<{ users: { email: string }[] }>('/api/v1/users');
      return body.users.find(({ email }) => email === 'dan@croft.example');
    };
    const choose = async (action: string) => {
      await button('Actions for Dan Gate').click();
      await page.getByRole('menuitem', { name: action }).click();
    };
    await choose('Make administrator');
    await line.getByText('Administrator').waitFor();
    await choose('Disable');
    await line.getByText('Disabled').waitFor();
    await expect.poll(() => dan()).toMatchObject({ role: 'admin', disabled: true });
    await choose('Delete');
    await button('Delete user').click();
    await line.waitFor({ state: 'detached' });
    expect(await dan()).toBeUndefined();
  });

  it('change name and password, say what is wrong with the old one, and sign out', async () => {
    await open({ path: 'settings/account', newUser: true });
    studio.expectComplaint(/status of 403/);
    await field('Name').fill('Ada Meadow');
    await button('Save').click();
    await page.getByRole('banner').getByText('Ada Meadow').waitFor();
    await field('Current password').fill('not it');
    await field('New password').fill('short');
    await button('Change password').click();
    await page.getByText('Use at least 8 characters.').waitFor();
    await field('New password').fill('long enough');
    await button('Change password').click();
    await page.getByText('The current password is not right.').waitFor();
    await field('Current password').fill(ADA.password);
    await button('Change password').click();
    await page.getByText('Password changed.').waitFor();
    await button('Sign out').click();
    await heading('Sign in').waitFor();
    await studio.server.signIn(studio.login, 'long enough');
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
    await expect.poll(() => ground()).toBe(dark);
    await page.getByRole('radio', { name: 'System' }).check();
    await expect.poll(() => ground()).toBe(light);
  });

  it('show the latest changes of files, and add one that an agent makes', async () => {
    let isAway = true;
    let retry = () => {};
    const retried = new Promise<void>((resolve) => {
      retry = resolve;
    });
    await open({
      path: 'settings/activity',
      newUser: true,
      async beforeLoad(loading) {
        await loading.route('**/activity/changes', (route) =>
          isAway ? route.fulfill({ status: 503, json: problem('unavailable') }) : route.fallback(),
        );
        // The page loads the changes again when its first event stream opens, which removes the button.
        await loading.route('**/api/v1/events*', (route) => retried.then(() => route.fallback()));
      },
    });
    studio.expectComplaint(/status of 503/);
    await page.getByText('The changes cannot be shown').waitFor();
    isAway = false;
    await button('Try again').click();
    retry();
    const list = page.getByRole('region', { name: 'Recent changes' }).getByRole('list');
    await list.getByRole('link', { name: 'Go to your files' }).waitFor();
    const { secret } = (await change(studio.visitor, 'POST', '/api/v1/keys', { name: 'agent' })) as { secret: string };
    const file = { path: 'by-a-script.md', content: 'x' };
    await change(studio.server.withKey(secret), 'POST', '/api/v1/tools/full/write_file', file);
    const added = list.getByRole('listitem').filter({ hasText: 'by-a-script.md' });
    await added.getByText('Created', { exact: true }).waitFor();
    await expect.poll(() => added.textContent()).toContain('API key agent · ');
    const report =
      'name: Daily\nnodes:\n  I: ChatInput\n  W: SaveToFile\n  O: ChatOutput\nedges:\n  I.message -> W.input\n  W.message -> O.input_value\nconfig:\n  W.file_name: report.txt';
    const { flow } = (await change(studio.visitor, 'POST', '/api/v1/flows/import', { source: report })) as {
      flow: { id: string };
    };
    await change(studio.server.withKey(secret), 'POST', `/api/v1/flows/${flow.id}/run`, { message: 'x' });
    const byRun = list.getByRole('listitem').filter({ hasText: 'report.txt' });
    await expect.poll(() => byRun.textContent()).toContain('Flow Daily, started with the API key agent · ');
    expect(await axeProblems(page)).toEqual([]);
    await byRun.getByRole('link', { name: 'Run of Daily' }).click();
    await heading('Daily').waitFor();
    await page.getByRole('link', { name: 'Changed 1 file' }).click();
    await page.getByRole('heading', { name: 'Changes of one run' }).waitFor();
    await page.getByRole('link', { name: 'Files', exact: true }).click();
    await page.getByRole('button', { name: 'Actions for report.txt' }).click();
    await page.getByRole('menuitem', { name: 'Show changes' }).click();
    await page.getByRole('heading', { name: 'Changes of report.txt' }).waitFor();
    await expect
      .poll(() => list.getByRole('listitem').allTextContents())
      .toEqual([expect.stringContaining('report.txt')]);
    expect(await axeProblems(page)).toEqual([]);
    await list.getByRole('link', { name: 'report.txt' }).click();
    await page.getByRole('link', { name: 'Changes of report.txt' }).click();
    await page.getByRole('heading', { name: 'Changes of report.txt' }).waitFor();
    // The page Files leads here.
    await page.getByRole('link', { name: 'Files', exact: true }).click();
    await page.getByRole('link', { name: 'Changes and undo' }).click();
    await added.getByRole('button', { name: 'Undo the change of by-a-script.md' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Undo' }).click();
    await added.getByText('Undone', { exact: true }).waitFor();
    expect((await studio.visitor.request('/api/v1/files/content?path=by-a-script.md')).status).toBe(404);
  });
});

describe('the API docs page', () => {
  it('sends the request of a form on the API docs page, and shows the response', async () => {
    await open({ path: 'api/docs' });
    studio.expectComplaint(/status of 404/);
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
    expect(await viewProblems(page)).toEqual([]);
    await page.getByRole('navigation', { name: 'Areas' }).getByRole('link', { name: 'Webhooks' }).click();
    await until(page, "document.querySelector(':target')?.textContent === 'Webhooks'");
    await page.getByRole('link', { name: 'Back to Croft' }).click();
    await heading('Files').waitFor();
  });
});
