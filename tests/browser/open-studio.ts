import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import { startFake } from '../../apps/studio/dev/fake-server.ts';
import type { FakeOptions } from '../../apps/studio/dev/fake-state.ts';

const ROOT = join(import.meta.dirname, '../..');

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
  page.setDefaultTimeout(8_000);
  const complaints: string[] = [];
  const expected: RegExp[] = [];
  page.on('console', (message) => {
    // Nobody listens on the daemon's port: the browser says so, and nothing can keep it from that.
    if (message.type() === 'error' && !message.location().url.includes(':7655')) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.addInitScript(
    "document.addEventListener('securitypolicyviolation', (event) => console.error('policy: ' + event.violatedDirective + ' ' + event.blockedURI))",
  );
  // The computer the tests run on may have a daemon of its own.
  await page.route(/:7655\//, (route) => route.abort('connectionrefused'));
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
  await expect.poll(() => page.evaluate(expression), { timeout: 8_000 }).toBe(true);
}

/** The name of what has the focus, or its text. */
export function focused(page: Page): Promise<string> {
  return page.evaluate(
    "(document.activeElement.getAttribute('aria-label') ?? document.activeElement.name ?? '') || document.activeElement.textContent",
  );
}
