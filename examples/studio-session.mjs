// `croft serve` from the packed tarballs in an empty home: opens the page, uploads a file, connects another directory
// with the command that the page shows, and reads from it with a real MCP client. Takes screenshots of every page.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { tsImport } from 'tsx/esm/api';
import { installServer, makeStage, repo } from './installed-croft.mjs';
import { createTranscript } from './transcript.mjs';

const { launchChromium } = await tsImport('../tests/browser/launch-chromium.ts', import.meta.url);
const stage = makeStage();
const laptop = join(stage.base, 'laptop');
const transcript = createTranscript('studio-session', { [laptop]: '~/laptop', [stage.home]: '~', [stage.base]: '/…' });
// `--write` saves screenshots; a test run only checks that they can be taken.
const pictures = process.argv.includes('--write') ? join(repo, 'docs/images/studio') : join(stage.base, 'pictures');
const SIZES = { wide: { width: 1_200, height: 780 }, phone: { width: 360, height: 740 } };

let server;
let machine;
let launched;
try {
  mkdirSync(laptop);
  mkdirSync(pictures, { recursive: true });
  writeFileSync(join(laptop, 'harvest.csv'), 'field,tonnes\nnorth,12\nsouth,9\n');
  const bin = installServer(stage);

  transcript.say('$ croft serve');
  server = spawn(process.execPath, [bin, 'serve', '--port', '0', '--no-open'], {
    cwd: stage.home,
    env: stage.env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const banner = await untilPrinted(server, /Page {2,}\S+\n/);
  transcript.say(banner.trim().replace(/node .*croft\.cjs'? open/, 'croft open'));
  const oneTime = /http:\S+open\?code=\S+/.exec(banner)[0];
  const origin = new URL(oneTime).origin;

  launched = await launchChromium();
  const context = await launched.browser.newContext({ viewport: SIZES.wide, colorScheme: 'light' });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  // This machine may run a daemon of its own.
  await page.route(/:7655\//, (route) => route.abort('connectionrefused'));
  await page.goto(origin);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await photograph(page, 'no-session');

  await page.goto(oneTime);
  await page.goto(`${origin}/files`);
  await page.getByText('Nothing here yet').waitFor();
  const notes = '# Field notes\n\n- [x] repair the *north* wall\n- [ ] sow barley\n';
  await page
    .locator('input[type=file]')
    .setInputFiles([{ name: 'notes.md', mimeType: 'text/markdown', buffer: Buffer.from(notes) }]);
  await page.getByRole('link', { name: 'notes.md' }).click();
  await page.getByRole('heading', { name: 'Field notes' }).waitFor();
  transcript.say('notes.md is uploaded, and previewed');
  await photograph(page, 'files');

  await page.goto(`${origin}/connect`);
  const shown = page.getByRole('group', { name: 'Command that connects a folder' });
  const command = (await shown.textContent()).trim().replace(/^\$ */, '');
  await photograph(page, 'connect');
  transcript.say(`the page says: ${command.replace(/gw_\S+/, 'gw_…').replaceAll(origin, 'ORIGIN')}`);

  // Runs the command as shown, in the other directory, with a registry that never responds: npx needs only this server.
  // Its listener uses any free port.
  machine = spawn('/bin/sh', ['-c', `exec ${command} --port 0`], {
    cwd: laptop,
    env: { ...stage.env, npm_config_registry: 'http://127.0.0.1:9/', npm_config_update_notifier: 'false' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [machine.stdout, machine.stderr])
    stream.on('data', (chunk) => transcript.say(String(chunk).trim()));
  await page.getByRole('heading', { name: 'Files connected' }).waitFor();
  transcript.say('the page turns green: Files connected');
  await photograph(page, 'connected');
  for (const name of ['settings', 'kit']) {
    await page.goto(`${origin}/${name}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await photograph(page, name);
  }

  const token = readFileSync(join(stage.home, '.croft/mcp-token'), 'utf8').trim();
  const client = new Client({ name: 'example-agent', version: '1.0.0' });
  await client.connect(
    new StreamableHTTPClientTransport(new URL('/mcp', origin), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    }),
  );
  const { tools } = await client.listTools();
  transcript.say(`tools: ${tools.map((tool) => tool.name).join(', ')}`);
  const read = await client.callTool({ name: 'read-file', arguments: { filePath: 'harvest.csv' } });
  transcript.say(`read-file harvest.csv → ${read.content[0].text}`);
  assert.match(read.content[0].text, /north,12/);
  await client.close();
  assert.equal(readdirSync(pictures).filter((name) => name.endsWith('.png')).length >= 24, true);
  transcript.keep();
} finally {
  await launched?.close();
  if (machine) await stop(machine);
  if (server) await stop(server);
  stage.remove();
}

/** Takes screenshots of the current page, in both themes and at both widths. */
async function photograph(page, name) {
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

function untilPrinted(child, pattern) {
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (chunk) => {
      text += chunk;
      if (pattern.test(text)) resolve(text);
    });
    child.on('exit', (code) => reject(new Error(`it ended with ${code} after printing: ${text}`)));
  });
}

function stop(child) {
  if (child.exitCode !== null) return undefined;
  return new Promise((resolve) => {
    const force = setTimeout(() => child.kill('SIGKILL'), 10_000);
    child.once('exit', () => resolve(clearTimeout(force)));
    child.kill('SIGTERM');
  });
}
