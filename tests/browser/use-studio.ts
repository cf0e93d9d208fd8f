import { afterAll, afterEach, beforeAll } from 'vitest';
import { atWorkerEnd } from '../support/at-worker-end.ts';
import { type LaunchedBrowser, launchChromium } from './launch-chromium.ts';
import { buildStudioOnce, type OpenOptions, type OpenStudio, openStudio } from './open-studio.ts';
import { type StudioServers, studioServers } from './studio-servers.ts';

/** The browser and servers of a file of tests. */
export interface StudioTests {
  readonly servers: StudioServers;
  /** Opens the page of a test, in place of the page before. */
  open(options?: OpenOptions): Promise<OpenStudio>;
}

let browser: Promise<LaunchedBrowser> | undefined;

/** The browser of all test files of this process. */
export function sharedBrowser(): Promise<LaunchedBrowser> {
  if (!browser) {
    const launching = Promise.all([launchChromium(), buildStudioOnce()]).then(([launched]) => launched);
    browser = launching;
    atWorkerEnd(async () => (await launching).close());
  }
  return browser;
}

/**
 * A browser and servers for the tests of a file. Each test opens its own page, which is closed after it, also when an
 * unexpected browser error fails it.
 */
export function useStudio(defaults: OpenOptions = {}, settings?: Parameters<typeof studioServers>[0]): StudioTests {
  const servers = studioServers(settings);
  let launched: LaunchedBrowser;
  let studio: OpenStudio | undefined;
  beforeAll(async () => {
    launched = await sharedBrowser();
  });
  afterAll(() => servers.stop());
  afterEach(async () => studio?.close());
  return {
    servers,
    async open(options = {}) {
      studio = await openStudio(launched.browser, servers, { ...defaults, ...options });
      return studio;
    },
  };
}
