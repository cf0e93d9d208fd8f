// node tests/gateway/foreign-client.mjs [--client=<path of its cli.js>]: tests the released client of the later dialect
// against our hub, over real HTTP. The client pairs, announces tools that the hub offers, answers calls, reconnects
// after a restart of the server, and stops when it is superseded. The client is not a dependency of Croft: without
// --client it is installed, without its install scripts, into a temporary directory.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { memoryGatewayStore, postTo, serveTestHub } from '../../packages/gateway/dist/hub/testing.js';

const CLIENT = '@n8n/computer-use@0.19.0';
const PATIENCE_MS = 60_000;

const root = mkdtempSync(join(tmpdir(), 'croft-foreign-'));
let child;
try {
  await run();
  console.log('foreign-client: all as it should be');
} finally {
  child?.kill('SIGKILL');
  rmSync(root, { recursive: true, force: true });
}

async function run() {
  const cli = process.argv.find((one) => one.startsWith('--client='))?.slice(9) ?? install();
  const dir = join(root, 'project');
  mkdirSync(join(dir, 'src'), { recursive: true });
  writeFileSync(join(dir, 'src/hello.ts'), 'export const hello = "from the laptop";\n');
  const store = memoryGatewayStore();
  let served = await serveTestHub({ store });
  const port = Number(new URL(served.base).port);

  child = await startClient(cli, served, dir);
  await until('it is connected', () => served.hub.status('ann').connected);
  const status = served.hub.status('ann');
  assert.equal(status.directory, dir);
  assert.match(status.hostIdentifier, /@/);
  console.log(
    `connected: ${status.hostIdentifier}, categories ${status.toolCategories.map(({ name }) => name).join(', ')}`,
  );
  const tools = served.hub.toolsFor('ann');
  console.log(`offers ${tools.length} tools: ${tools.map(({ name }) => name).join(', ')}`);
  await tryCalls(served);

  // After a restart, the session is still in the store, but the connection is gone.
  await served.close();
  served = await serveTestHub({ store, port });
  await until('it came back after a restart', () => served.hub.status('ann').connected);
  await tryCalls(served);

  // Another machine takes over: this client gets an event and stops permanently.
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const token = await link(served);
  const init = { rootPath: '/elsewhere', tree: [], treeText: '' };
  assert.equal((await postTo(`${served.base}/gateway/init`, { key: token, body: init })).status, 200);
  const stopped = await Promise.race([ended.then(() => true), sleep(5_000).then(() => false)]);
  await sleep(3_000);
  assert.equal(served.hub.status('ann').connected, false);
  console.log(stopped ? 'superseded: it ended' : 'superseded: it stays idle and does not come back');
  await served.close();
}

async function tryCalls(served) {
  const call = (name, input) => served.hub.call('ann', { name, input });
  const read = await call('read_file', { filePath: 'src/hello.ts' });
  assert.ok(read.ok, JSON.stringify(read));
  assert.match(read.text, /^<untrusted_data source="tool:read_file">[^]*from the laptop[^]*<\/untrusted_data>$/);
  const many = await Promise.all(Array.from({ length: 50 }, () => call('read_file', { filePath: 'src/hello.ts' })));
  assert.ok(many.every(({ ok }) => ok));
  const missing = await call('read_file', { filePath: 'src/none.ts' });
  assert.equal(missing.ok, false);
  assert.ok(!JSON.stringify(missing).includes(root), `a host path: ${JSON.stringify(missing)}`);
  const unknown = await call('no_such_tool', {});
  assert.match(unknown.data.error, /^Unknown tool/);
  console.log(`calls: ok, and a refusal says: ${missing.data.error}`);
}

function install() {
  console.log(`installing ${CLIENT} without its install scripts …`);
  const prefix = join(root, 'client');
  mkdirSync(prefix);
  writeFileSync(join(prefix, 'package.json'), '{"private":true}');
  const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--silent', CLIENT];
  execFileSync('npm', args, { cwd: prefix, stdio: 'inherit' });
  return join(prefix, 'node_modules/@n8n/computer-use/dist/cli.js');
}

async function startClient(cli, served, dir) {
  const home = join(root, 'home');
  mkdirSync(home);
  const url = new URL(served.base).origin;
  const args = [cli, url, await link(served), dir, '--allowed-origins', url, '--auto-confirm', '--no-browser'];
  const env = { PATH: process.env.PATH, HOME: home };
  const client = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [client.stdout, client.stderr])
    stream.on('data', (chunk) => {
      said += chunk;
    });
  client.once('exit', (code) => {
    if (code !== 0 && code !== null) console.error(`the client ended with ${code}:\n${said}`);
  });
  return client;
}

async function link(served) {
  return (await postTo(`${served.base}/gateway/create-link`, { user: 'ann' })).body.token;
}

async function until(what, check) {
  const end = Date.now() + PATIENCE_MS;
  while (!check()) {
    if (Date.now() > end) throw new Error(`not in time: ${what}`);
    await sleep(50);
  }
  console.log(what);
}

function sleep(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
