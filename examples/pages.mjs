// The server of an example, and screenshots of its pages.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { tsImport } from 'tsx/esm/api';
import { stop, untilPrinted } from './child.mjs';
import { installServer, makeStage, repo } from './installed-croft.mjs';
import { createTranscript } from './transcript.mjs';

const { launchChromium } = await tsImport('../tests/browser/launch-chromium.ts', import.meta.url);
const SIZES = { wide: { width: 1_440, height: 900 }, phone: { width: 360, height: 740 } };

/**
 * Plays an example: starts the packed `croft serve` in an empty home, opens a page, and lets `play` use them. Keeps the transcript
 * when `play` has ended, and leaves nothing behind.
 */
export async function playStudio(name, play) {
  const stage = makeStage();
  const transcript = createTranscript(name, { [stage.home]: '~', [stage.base]: '/…' });
  let server;
  let launched;
  try {
    const started = await startServer(installServer(stage), stage);
    server = started.child;
    const opened = await openPage();
    launched = opened.launched;
    const button = (text) => opened.page.getByRole('button', { name: text });
    await play({ stage, started, page: opened.page, button, transcript, pictures: picturesDir(stage) });
    transcript.keep();
  } finally {
    await launched?.close();
    if (server) await stop(server);
    stage.remove();
  }
}

/** Starts the installed command as a server in the stage's home. `banner` is what it printed. */
export async function startServer(bin, stage) {
  const child = spawn(process.execPath, [bin, 'serve', '--port', '0', '--no-open'], {
    cwd: stage.home,
    env: stage.env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const banner = await untilPrinted(child, /Page {2,}\S+\n/);
  const oneTime = /http:\S+open\?code=\S+/.exec(banner)[0];
  return { child, banner, oneTime, origin: new URL(oneTime).origin };
}

/** Opens a page in a new browser. */
export async function openPage() {
  const launched = await launchChromium();
  const context = await launched.browser.newContext({ viewport: SIZES.wide, colorScheme: 'light' });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  // This machine may run a daemon of its own.
  await page.route(/:7655\//, (route) => route.abort('connectionrefused'));
  return { launched, page };
}

/** `--write` keeps the pictures in docs/; a test run only checks that they can be taken. */
export function picturesDir(stage) {
  const dir = process.argv.includes('--write') ? join(repo, 'docs/images/studio') : join(stage.base, 'pictures');
  mkdirSync(dir, { recursive: true });
  return dir;
}

/** Takes screenshots of the current page, in both themes and at both widths. */
export async function photograph(page, pictures, name) {
  for (const colorScheme of ['light', 'dark'])
    for (const [size, viewport] of Object.entries(SIZES)) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.setViewportSize(viewport);
      await page.waitForTimeout(150);
      const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
      assert.ok(overflow <= 0, `${name} is ${overflow} px too wide at ${viewport.width} px`);
      await page.screenshot({ path: join(pictures, `${name}-${colorScheme}-${size}.png`) });
    }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(SIZES.wide);
}
