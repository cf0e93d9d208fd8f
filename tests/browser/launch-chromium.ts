import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium } from 'playwright-core';

const PACKAGE = join(import.meta.dirname, '../../node_modules/@sparticuz/chromium');

/** A browser and the scratch directory that it was unpacked into. */
export interface LaunchedBrowser {
  readonly browser: Browser;
  close(): Promise<void>;
}

/**
 * Starts the Chromium of a registry package, without further downloads or installations. Unpacks it, with libraries that a
 * minimal system lacks, into a separate directory, so that parallel runs do not share it.
 */
export async function launchChromium(): Promise<LaunchedBrowser> {
  const home = mkdtempSync(join(tmpdir(), 'croft-chromium-'));
  const before = process.env.TMPDIR;
  process.env.TMPDIR = home;
  try {
    const { default: packed } = await import('@sparticuz/chromium');
    const executablePath = await packed.executablePath();
    // The package unpacks its libraries by itself only if it detects a cloud function.
    const { inflate } = (await import(pathToFileURL(join(PACKAGE, 'build/esm/lambdafs.js')).href)) as {
      inflate: (file: string) => Promise<string>;
    };
    await inflate(join(PACKAGE, 'bin/al2023.tar.br'));
    const browser = await chromium.launch({
      executablePath,
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
      ],
      env: {
        ...process.env,
        HOME: home,
        LD_LIBRARY_PATH: `${join(home, 'al2023/lib')}:${process.env.LD_LIBRARY_PATH ?? ''}`,
      } as Record<string, string>,
    });
    return {
      browser,
      async close() {
        await browser.close();
        rmSync(home, { recursive: true, force: true, maxRetries: 5 });
      },
    };
  } catch (error) {
    rmSync(home, { recursive: true, force: true });
    throw error;
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
}
