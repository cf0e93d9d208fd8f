import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type LaunchedBrowser, launchChromium } from './launch-chromium.ts';
import { axeProblems } from './axe-problems.ts';
import { buildStudioOnce, type OpenStudio, openStudio } from './open-studio.ts';

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

type View = readonly [name: string, path: string, ready: RegExp, act?: () => Promise<void>];

/** Every view of a server with accounts, and how to get it into the state to examine. */
const VIEWS: readonly View[] = [
  ['files', 'files', /README/],
  ['files chosen', 'files', /README/, () => page.getByRole('checkbox', { name: 'Select README.md' }).check()],
  ['a document', 'files?file=README.md', /Good fences/],
  ['a text', 'files?file=field-notes.txt', /20 beans/],
  ['a picture', 'files?file=garden-plan.png', /garden-plan/],
  ['search', 'files?q=beans&in=content', /results for/],
  ['nothing found', 'files?q=zebra', /Nothing found/],
  ['an empty folder', 'files?dir=empty', /This folder is empty/],
  ['a mount', 'files?dir=shared', /read-only here/],
  ['a dialog', 'files', /README/, () => page.getByRole('button', { name: 'New folder' }).click()],
  ['connect', 'connect', /Works once/],
  ['account', 'settings/account', /Change password/],
  ['keys', 'settings/keys', /this machine/],
  ['users', 'settings/users', /Ben Hedge/],
  ['appearance', 'settings/appearance', /Remembered by/],
  ['about', 'settings/about', /no telemetry/],
  ['no such page', 'nowhere', /There is no such page/],
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
  /** Colours are all that the dark theme has of its own. */
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
      await page.goto(studio.fake.url + path);
      await page.getByText(ready).first().waitFor();
      await act?.();
      await look(name);
      await page.setViewportSize({ width: 360, height: 740 });
      expect([name, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([name, 360]);
    }
  }

  it('of a server without accounts is accessible, light and dark, and as wide as a phone', async () => {
    await open({ scheme: 'light', autoLogin: true });
    await lookAtAll(LOCAL_VIEWS);
  });

  it('is accessible, light and dark, and as wide as a phone', async () => {
    await open({ scheme: 'light', mounts: [{ name: 'shared', readOnly: true, hidesEntry: true }] });
    studio.fake.state.files.mkdir('empty');
    await lookAtAll(VIEWS);
    studio.fake.state.connectGateway();
    await page.goto(`${studio.fake.url}connect`);
    await page.getByRole('heading', { name: 'Files connected' }).waitFor();
    await look('connected');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    await page.goto(`${studio.fake.url}files?file=README.md`);
    await page.getByText('Good fences').waitFor();
    await look('a document on a phone');
  });

  it.each([
    ['light', false],
    ['dark', true],
  ] as const)('at the door too: %s', async (scheme, autoLogin) => {
    await open({ scheme, autoLogin, signedIn: false });
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await axeProblems(page)).toEqual([]);
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    expect(await axeProblems(page)).toEqual([]);
  });
});
