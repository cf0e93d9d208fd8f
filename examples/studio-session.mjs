// `croft serve` from the packed tarballs in an empty home: opens the page, uploads a file, connects another directory
// with the command that the page shows, and reads from it with a real MCP client. Takes screenshots of every page.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { stop } from './child.mjs';
import { installServer, makeStage } from './installed-croft.mjs';
import { openPage, photograph, picturesDir, startServer } from './pages.mjs';
import { createTranscript } from './transcript.mjs';

const stage = makeStage();
const laptop = join(stage.base, 'laptop');
const transcript = createTranscript('studio-session', { [laptop]: '~/laptop', [stage.home]: '~', [stage.base]: '/…' });
const pictures = picturesDir(stage);

let server;
let machine;
let launched;
try {
  mkdirSync(laptop);
  writeFileSync(join(laptop, 'harvest.csv'), 'field,tonnes\nnorth,12\nsouth,9\n');
  const bin = installServer(stage);

  transcript.say('$ croft serve');
  const started = await startServer(bin, stage);
  server = started.child;
  const { banner, oneTime, origin } = started;
  transcript.say(banner.trim().replace(/node .*croft\.cjs'? open/, 'croft open'));

  const opened = await openPage();
  launched = opened.launched;
  const { page } = opened;
  await page.goto(origin);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await photograph(page, pictures, 'no-session');

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
  await photograph(page, pictures, 'files');

  await page.goto(`${origin}/connect`);
  const shown = page.getByRole('group', { name: 'Command that connects a folder' });
  const command = (await shown.textContent()).trim().replace(/^\$ */, '');
  await photograph(page, pictures, 'connect');
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
  await photograph(page, pictures, 'connected');
  for (const name of ['settings', 'kit']) {
    await page.goto(`${origin}/${name}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await photograph(page, pictures, name);
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
