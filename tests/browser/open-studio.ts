import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import { startFake } from '../../apps/studio/dev/fake-server.ts';
import type { FakeOptions } from '../../apps/studio/dev/fake-state.ts';

const ROOT = join(import.meta.dirname, '../..');

/** How long a test waits for a condition. Less than the timeout of a test, so that the failure names the condition. */
const WAIT_MS = 50_000;

/** The timeout of a test in a browser. */
export const BROWSER_TEST_MS = 60_000;

/** The studio as it is built, under a policy that allows no inline style, with a server in memory. */
export interface OpenStudio {
  readonly page: Page;
  readonly fake: Awaited<ReturnType<typeof startFake>>;
  /** Complaints of the browser that a test caused on purpose, like answers that say no. */
  expectComplaint: (pattern: RegExp) => void;
  /** Fails on what the browser complained of; ends both. */
  close: () => Promise<void>;
}

/** Builds the studio, unless it is built. */
export async function buildStudioOnce(): Promise<void> {
  const { buildStudio } = (await import(pathToFileURL(join(ROOT, 'scripts/build-studio.mjs')).href)) as {
    buildStudio: () => Promise<void>;
  };
  await buildStudio();
}

/** Opens a page of the studio. `path` is relative to the base path. */
export async function openStudio(
  browser: Browser,
  options: FakeOptions & { path?: string; width?: number; scheme?: 'light' | 'dark' } = {},
): Promise<OpenStudio> {
  const { path = '', width = 1_200, scheme = 'light', ...rest } = options;
  const fake = await startFake({ studioDir: join(ROOT, 'apps/studio/dist'), signedIn: true, ...rest });
  const context = await browser.newContext({
    viewport: { width, height: 800 },
    colorScheme: scheme,
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const page = await context.newPage();
  // Conditions are waited for as long as the test may run: a busy machine is slow, not wrong.
  page.setDefaultTimeout(WAIT_MS);
  const complaints: string[] = [];
  const expected: RegExp[] = [];
  page.on('console', (message) => {
    // No program listens on the daemon's port: the browser logs that, and it cannot be suppressed.
    if (message.type() === 'error' && !message.location().url.includes(':7655')) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.addInitScript(
    "document.addEventListener('securitypolicyviolation', (event) => console.error('policy: ' + event.violatedDirective + ' ' + event.blockedURI))",
  );
  // The computer the tests run on may have a daemon of its own.
  await page.route(/:7655\//, (route) => route.abort('connectionrefused'));
  // Timers run as usual, and tests can move the clock forward.
  await page.clock.install();
  await page.goto(fake.url + path);
  return {
    page,
    fake,
    expectComplaint: (pattern) => expected.push(pattern),
    async close() {
      await context.close();
      await fake.stop();
      expect(complaints.filter((text) => !expected.some((pattern) => pattern.test(text)))).toEqual([]);
    },
  };
}

/** Waits until an expression is true. Playwright's own way evaluates it in the page, which the policy forbids. */
export async function until(page: Page, expression: string): Promise<void> {
  await expect.poll(() => page.evaluate(expression), { timeout: WAIT_MS }).toBe(true);
}

/** The name of what has the focus, or its text. */
export function focused(page: Page): Promise<string> {
  return page.evaluate(
    "(document.activeElement.getAttribute('aria-label') ?? document.activeElement.name ?? '') || document.activeElement.textContent",
  );
}
