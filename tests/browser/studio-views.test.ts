import type { Page } from 'playwright-core';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type LaunchedBrowser, launchChromium } from './launch-chromium.ts';
import { axeProblems } from './axe-problems.ts';
import { connectMachine } from './connect-machine.ts';
import { buildStudioOnce, type OpenOptions, type OpenStudio, openStudio } from './open-studio.ts';
import { change, filesIn, studioServers } from './studio-servers.ts';

const servers = studioServers();
let launched: LaunchedBrowser;
let studio: OpenStudio;
let page: Page;

beforeAll(async () => {
  [launched] = await Promise.all([launchChromium(), buildStudioOnce()]);
}, 60_000);
afterAll(async () => {
  await launched?.close();
  await servers.stop();
});
afterEach(async () => studio?.close());

async function open(options: OpenOptions = {}) {
  studio = await openStudio(launched.browser, servers, options);
  page = studio.page;
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
  ['users', 'settings/users', /Ben Hedge/],
  ['activity', 'settings/activity', /Recent changes/],
  ['appearance', 'settings/appearance', /Remembered by/],
  ['about', 'settings/about', /no telemetry/],
  ['no such page', 'nowhere', /Page not found/],
  ['the kit', 'kit', /Over the page/],
];

/** Views of a server without accounts only. */
const LOCAL_VIEWS: readonly View[] = [
  [
    'picking a directory',
    'connect',
    /Works once/,
    async () => {
      await page.getByRole('button', { name: 'Pick a directory' }).click();
      await page.getByRole('group', { name: /^Directories/ }).waitFor();
    },
  ],
];

describe('every view', { timeout: 120_000 }, () => {
  /** Checks all rules in light colours, and colours in dark. */
  async function look(name: string): Promise<void> {
    const found = await axeProblems(page);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await page.evaluate('matchMedia("(prefers-color-scheme: dark)").matches')).toBe(true);
    found.push(...(await axeProblems(page, 'color-contrast')));
    await page.emulateMedia({ colorScheme: 'light' });
    expect([name, found]).toEqual([name, []]);
  }

  async function lookAtAll(views: readonly View[]): Promise<void> {
    for (const [name, path, ready, act] of views) {
      await page.setViewportSize({ width: 1_200, height: 800 });
      await goTo(path);
      await page.getByText(ready).first().waitFor();
      await act?.();
      await look(name);
      await page.setViewportSize({ width: 360, height: 740 });
      expect([name, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([name, 360]);
    }
  }

  /** Shows a page without loading the studio again. Shows another page first: a new page has no open dialog. */
  async function goTo(path: string): Promise<void> {
    for (const to of ['between', path])
      await page.evaluate(
        `history.pushState(null, '', ${JSON.stringify(to)}); dispatchEvent(new PopStateEvent('popstate'))`,
      );
  }

  it('of a server without accounts is accessible, light and dark, and as wide as a phone', async () => {
    await open({ autoLogin: true });
    await lookAtAll(LOCAL_VIEWS);
  });

  it('is accessible, light and dark, and as wide as a phone', async () => {
    await open({ files: { shared: 'hidden by the mount' } });
    const { visitor, server, files } = studio;
    await change(visitor, 'PUT', '/api/v1/shared-mount', { mode: 'read' });
    filesIn(join(server.baseDir, 'workspaces/shared')).write('house-rules.md', '# House rules');
    files.makeFolder('empty');
    await change(visitor, 'POST', '/api/v1/users', {
      name: 'Ben Hedge',
      email: 'ben@croft.example',
      password: 'correct horse',
    });
    await change(visitor, 'POST', '/api/v1/keys', { name: 'this machine' });
    await page.reload();
    await lookAtAll(VIEWS);
    const machine = await connectMachine(studio);
    await goTo('connect');
    await page.getByRole('heading', { name: 'Files connected' }).waitFor();
    await look('connected');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    await goTo('files?file=README.md');
    await page.getByText('Good fences').waitFor();
    await look('a document on a phone');
    await machine.leave();
  });

  it.each([
    ['with passwords', false],
    ['without passwords', true],
  ] as const)('on the sign-in page too: %s', async (_, autoLogin) => {
    await open({ autoLogin, signedIn: false });
    await page.getByRole('heading', { level: 1 }).waitFor();
    await look('sign-in');
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
  });
});
