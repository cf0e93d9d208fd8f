import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import { WAIT_MS } from './launch-chromium.ts';
import { startFake } from '../../apps/studio/dev/fake-server.ts';
import type { FakeOptions } from '../../apps/studio/dev/fake-state.ts';

const ROOT = join(import.meta.dirname, '../..');

/** The timeout of a test in a browser. Longer than that of a condition, so that a failure names the condition. */
export const BROWSER_TEST_MS = 60_000;

/** The built studio, with a Content-Security-Policy without inline styles, and a server in memory. */
export interface OpenStudio {
  readonly page: Page;
  readonly fake: Awaited<ReturnType<typeof startFake>>;
  /** Browser errors that a test caused on purpose, like refused requests. */
  expectComplaint: (pattern: RegExp) => void;
  /** Closes browser and server. Fails if the browser reported other errors. */
  close: () => Promise<void>;
}

/** Builds the studio if it is not built. */
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
  // Timers run normally, and tests can advance the clock.
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
