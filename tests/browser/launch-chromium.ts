import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { memoryDir } from '@croft/workspace/testing';
import { type Browser, chromium, type Locator, type Page } from 'playwright-core';

const MODULES = join(import.meta.dirname, '../../node_modules');
const PACKAGE = join(MODULES, '@sparticuz/chromium');

/** A browser and the scratch directory that it writes to. */
export interface LaunchedBrowser {
  readonly browser: Browser;
  close(): Promise<void>;
}

/**
 * Starts the Chromium of a registry package, without further downloads or installations. Its home is a scratch
 * directory, so that parallel runs do not share it.
 */
export async function launchChromium(): Promise<LaunchedBrowser> {
  const unpacked = await unpackOnce();
  const home = mkdtempSync(join(memoryDir(), 'croft-chromium-'));
  const removeHome = () => rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  try {
    const browser = await chromium.launch({
      executablePath: join(unpacked, 'chromium'),
      headless: true,
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--no-zygote',
        // A new page takes the process that its context already has for the server: a new process costs a second of CPU time.
        '--process-per-site',
        // The threads of V8 take an eighth of the CPU time of these tests, which run on all cores without them.
        '--js-flags=--single-threaded',
        // A real daemon may listen on this machine. Routes of a page would slow down all its requests.
        '--host-resolver-rules=MAP 127.0.0.1:7655 ~NOTFOUND, MAP localhost:7655 ~NOTFOUND',
      ],
      env: {
        ...process.env,
        HOME: home,
        TMPDIR: home,
        LD_LIBRARY_PATH: `${join(unpacked, 'al2023/lib')}:${process.env.LD_LIBRARY_PATH ?? ''}`,
      } as Record<string, string>,
    });
    await pollSooner(browser);
    // After SIGINT, Playwright closes the browser and ends the process.
    process.once('exit', removeHome);
    return {
      browser,
      async close() {
        await browser.close();
        removeHome();
        process.off('exit', removeHome);
      },
    };
  } catch (error) {
    removeHome();
    throw error;
  }
}

/**
 * Unpacks the browser, with libraries that a minimal system lacks, into `node_modules/.cache` (3 s, 250 MB) unless it
 * is there. Processes may do this at the same time: the first complete copy stays. Returns the directory.
 */
async function unpackOnce(): Promise<string> {
  const { version } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8')) as { version: string };
  const target = join(MODULES, '.cache', `chromium-${version}`);
  if (existsSync(target)) return target;
  mkdirSync(join(MODULES, '.cache'), { recursive: true });
  const fresh = mkdtempSync(`${target}-`);
  const before = process.env.TMPDIR;
  // The package unpacks into the directory for temporary files.
  process.env.TMPDIR = fresh;
  try {
    const { default: packed } = await import('@sparticuz/chromium');
    await packed.executablePath();
    // The package unpacks its libraries by itself only if it detects a cloud function.
    const { inflate } = (await import(pathToFileURL(join(PACKAGE, 'build/esm/lambdafs.js')).href)) as {
      inflate: (file: string) => Promise<string>;
    };
    await inflate(join(PACKAGE, 'bin/al2023.tar.br'));
    renameSync(fresh, target);
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true });
    if (!existsSync(target)) throw error;
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
  return target;
}

type WaitOptions = Parameters<Locator['waitFor']>[0];

/** The time that a page waits for an element by default. Long, because a busy machine is slow. */
export const WAIT_MS = 50_000;
/** Playwright tries every 50 ms if the timeout has this length, and every 500 ms if it is long. */
const ATTEMPT_MS = 450;

/** Where a page is and what it shows, for the message of a failure. */
async function shownBy(page: Page): Promise<string> {
  const text = await page.innerText('body', { timeout: 1_000 }).catch(String);
  return `\n${page.url()} shows:\n${text.slice(0, 2_000)}`;
}

/**
 * Makes locators notice an element 50 ms after it appears, instead of up to 500 ms. A timeout also says what the page shows.
 */
async function pollSooner(browser: Browser): Promise<void> {
  const page = await browser.newPage();
  const prototype = Object.getPrototypeOf(page.locator('html')) as Locator & { pollsSooner?: true };
  await page.close();
  if (prototype.pollsSooner) return;
  prototype.pollsSooner = true;
  const original = prototype.waitFor;
  async function waitFor(this: Locator, { timeout = WAIT_MS, ...options }: WaitOptions = {}): Promise<void> {
    const end = performance.now() + timeout;
    for (;;) {
      const left = end - performance.now();
      try {
        return await original.call(this, { ...options, timeout: Math.max(1, Math.min(ATTEMPT_MS, left)) });
      } catch (error) {
        if ((error as Error).name === 'TimeoutError' && left > ATTEMPT_MS) continue;
        (error as Error).message += await shownBy(this.page());
        throw error;
      }
    }
  }
  prototype.waitFor = waitFor;
  for (const name of ['click', 'check', 'fill'] as const) {
    const act = prototype[name] as (...args: unknown[]) => Promise<void>;
    prototype[name] = async function (this: Locator, ...args: unknown[]) {
      await waitFor.call(this);
      return act.apply(this, args);
    } as never;
  }
}
