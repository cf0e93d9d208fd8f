import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { expect } from 'vitest';
import { WAIT_MS } from './launch-chromium.ts';
import type { StudioServers, StudioUser, UserOptions } from './studio-servers.ts';

const ROOT = join(import.meta.dirname, '../..');

/** The options of a page of the studio. */
export interface OpenOptions extends UserOptions {
  /** Relative to the base path. */
  readonly path?: string;
  readonly width?: number;
  readonly scheme?: 'light' | 'dark';
  readonly signedIn?: boolean;
  /** The test advances the clock of its page. Timers run normally otherwise. */
  readonly clock?: boolean;
  /** Runs before the page loads, for requests that a test answers itself. */
  readonly beforeLoad?: (page: Page, user: StudioUser) => Promise<unknown>;
}

/** A page of the built studio, on a real server. */
export interface OpenStudio extends StudioUser {
  readonly page: Page;
  /** Ends with a slash. */
  readonly url: string;
  /** Browser errors that a test caused on purpose, like refused requests. */
  expectComplaint: (pattern: RegExp) => void;
  /**
   * Responds to requests for matching addresses with an error, instead of the server. Returns a function that ends it.
   */
  refuse(address: RegExp, status: number, code: string, method?: string): Promise<() => Promise<void>>;
  /** Closes the page. Fails if the browser reported other errors. */
  close: () => Promise<void>;
}

/** Builds the studio if it is not built. */
export async function buildStudioOnce(): Promise<void> {
  const { buildStudio } = (await import(pathToFileURL(join(ROOT, 'scripts/build-studio.mjs')).href)) as {
    buildStudio: () => Promise<void>;
  };
  await buildStudio();
}

/** Settings of each browser context. */
const CONTEXT = { reducedMotion: 'reduce', permissions: ['clipboard-read', 'clipboard-write'] as string[] } as const;
/** The context that the pages of a browser share, which then compile their programs once. */
const shared = new WeakMap<Browser, Promise<BrowserContext>>();

async function openContext(browser: Browser, url: string): Promise<BrowserContext> {
  const context = await browser.newContext(CONTEXT);
  // Keeps the process of the site, with the programs that it has compiled, from one test to the next.
  const keeper = await context.newPage();
  await keeper.goto(`${url}healthz`);
  return context;
}

/** The context for the next page of a browser. A clock is one of all pages of a context, so it is not shared. */
async function contextFor(browser: Browser, url: string, clock: boolean): Promise<BrowserContext> {
  if (clock) return browser.newContext(CONTEXT);
  let context = shared.get(browser);
  if (!context) {
    context = openContext(browser, url);
    shared.set(browser, context);
  }
  return context;
}

/** Opens a page of the studio. The user has the sample files and nothing else. */
export async function openStudio(
  browser: Browser,
  servers: StudioServers,
  options: OpenOptions = {},
): Promise<OpenStudio> {
  const { path = '', width = 1_200, scheme = 'light', signedIn = true, clock = false } = options;
  const user = await servers.user(options);
  const url = `${user.server.url}${options.basePath ?? '/'}`;
  const context = await contextFor(browser, url, clock);
  if (signedIn) await context.addCookies(cookiesOf(user, url));
  const page = await context.newPage();
  page.setDefaultTimeout(WAIT_MS);
  await page.setViewportSize({ width, height: 800 });
  await page.emulateMedia({ colorScheme: scheme });
  const complaints: string[] = [];
  const expected: RegExp[] = [];
  page.on('console', (message) => {
    const { url: address } = message.location();
    // No program listens on the daemon's port: the browser logs that, and it cannot be suppressed.
    if (message.type() === 'error' && !address.includes(':7655')) complaints.push(`${message.text()} ${address}`);
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.addInitScript(
    "document.addEventListener('securitypolicyviolation', (event) => console.error('policy: ' + event.violatedDirective + ' ' + event.blockedURI))",
  );
  if (clock) await page.clock.install();
  await options.beforeLoad?.(page, user);
  await page.goto(url + path);
  return {
    ...user,
    page,
    url,
    expectComplaint: (pattern) => expected.push(pattern),
    async refuse(address, status, code, method) {
      const json = { error: { code, message: 'The test refuses this request.' } };
      const respond: Parameters<Page['route']>[1] = (route, request) =>
        method === undefined || request.method() === method ? route.fulfill({ status, json }) : route.fallback();
      await page.route(address, respond);
      return () => page.unroute(address, respond);
    },
    async close() {
      if (clock) await context.close();
      else await forget(context, url);
      expect(complaints.filter((text) => !expected.some((pattern) => pattern.test(text)))).toEqual([]);
    },
  };
}

/** Closes the pages of a test, and removes what they kept in the browser. */
async function forget(context: BrowserContext, url: string): Promise<void> {
  const [keeper, ...pages] = context.pages();
  for (const page of pages) await page.close();
  const devtools = await context.newCDPSession(keeper as Page);
  await devtools.send('Storage.clearDataForOrigin', { origin: new URL(url).origin, storageTypes: 'all' });
  await devtools.detach();
  await context.clearCookies();
}

/** The cookies of a signed-in user, for a browser. */
export function cookiesOf({ visitor }: Pick<StudioUser, 'visitor'>, url: string) {
  return (visitor.cookie ?? '').split('; ').map((cookie) => {
    const at = cookie.indexOf('=');
    return { name: cookie.slice(0, at), value: cookie.slice(at + 1), url, sameSite: 'Strict' as const };
  });
}

/** Waits until an expression is true. Playwright's own function evaluates it in the page, which the policy forbids. */
export async function until(page: Page, expression: string): Promise<void> {
  await expect.poll(() => page.evaluate(expression), { timeout: WAIT_MS }).toBe(true);
}

/** The name or text of the focused element. */
export function focused(page: Page): Promise<string> {
  return page.evaluate(
    "(document.activeElement.getAttribute('aria-label') ?? document.activeElement.name ?? '') || document.activeElement.textContent",
  );
}
