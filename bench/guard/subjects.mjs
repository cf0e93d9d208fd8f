import { fork, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installPeers, peerPackage, peersInstalled } from '../lib/peers.mjs';
import { sleep } from '../lib/measure.mjs';

const REPO = fileURLToPath(new URL('../../', import.meta.url));
const PEERS = join(REPO, 'bench/guard-peers');
const CROFT = join(REPO, 'apps/cli/dist/croft.cjs');
const PORTKEY = 'build/start-server.js';

const children = new Set();
process.on('exit', () => {
  for (const child of children) child.kill();
});

/** @typedef {{name: string, version: string, command: string, pid: number, port: number, headers?: object}} Subject */

/** Starts a script of this directory, which sends its port over IPC. */
export async function startScript(file, ...args) {
  const child = fork(join(import.meta.dirname, file), args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  children.add(child);
  const port = await new Promise((resolve, reject) => {
    child.once('message', (message) => resolve(message.port));
    child.once('exit', (code) => reject(new Error(`${file} ended with ${code}`)));
  });
  return { pid: child.pid, port };
}

/** Starts the load generator: returns a function that runs one job and returns its measurements. */
export function startLoad() {
  const child = fork(join(import.meta.dirname, 'load.mjs'));
  children.add(child);
  return (job) =>
    new Promise((resolve, reject) => {
      const ended = (code) => reject(new Error(`the load generator ended with ${code}`));
      child.once('exit', ended);
      child.once('message', (result) => {
        child.off('exit', ended);
        if (result.error) reject(new Error(result.error));
        else resolve(result);
      });
      child.send(job);
    });
}

/** @returns {Promise<Subject>} */
export async function startPipe(upstream) {
  const started = await startScript('bare-pipe.mjs', upstream);
  return {
    name: 'pipe',
    version: `node:http of ${process.version}`,
    command: 'node bench/guard/bare-pipe.mjs',
    ...started,
  };
}

/**
 * Starts the guard as shipped: the built program, with its judge, its decision log and its page.
 *
 * @returns {Promise<Subject>}
 */
export async function startGuard(upstream, { root, env, bundle = CROFT }) {
  if (!existsSync(bundle)) throw new Error(`there is no ${bundle}: run npm run build first`);
  const args = [bundle, 'guard', 'serve', '--upstream', upstream, '--root', root, '--port', '0'];
  const child = spawn(process.execPath, args, { env, cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  children.add(child);
  const port = await new Promise((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (chunk) => {
      text += chunk;
      const found = /OPENAI_BASE_URL=http:\/\/127\.0\.0\.1:(\d+)/.exec(text);
      if (found) resolve(Number(found[1]));
    });
    child.once('exit', (code) => reject(new Error(`croft guard serve ended with ${code}`)));
  });
  return {
    name: 'guard',
    version: versionOf(bundle),
    command: `node apps/cli/dist/croft.cjs guard serve --upstream URL --root DIR --port 0`,
    pid: child.pid,
    port,
  };
}

function versionOf(bundle) {
  const { version } = JSON.parse(readFileSync(join(REPO, 'apps/cli/package.json'), 'utf8'));
  const code = readFileSync(join(dirname(bundle), 'croft-guard.cjs'));
  return `croft ${version} (croft-guard.cjs ${createHash('sha256').update(code).digest('hex').slice(0, 12)}, ${code.length} bytes)`;
}

export const portkeyInstalled = () => peersInstalled(PEERS);
export const installPortkey = () => installPeers(PEERS);

/**
 * Starts a popular gateway, at the versions of its own lockfile: with newer ones it answers every stream with an error.
 * It judges no calls here.
 *
 * @returns {Promise<Subject>}
 */
export async function startPortkey(upstream) {
  const { version } = peerPackage('@portkey-ai/gateway', PEERS);
  const entry = join(PEERS, 'node_modules/@portkey-ai/gateway', PORTKEY);
  const port = await freePort();
  const child = spawn(process.execPath, [entry, `--port=${port}`, '--headless'], { stdio: 'ignore', cwd: PEERS });
  children.add(child);
  await answering(port, child);
  return {
    name: 'portkey',
    version: `@portkey-ai/gateway ${version}`,
    command: `node @portkey-ai/gateway/${PORTKEY} --port=N --headless`,
    pid: child.pid,
    port,
    headers: {
      'x-portkey-provider': 'openai',
      'x-portkey-custom-host': `${upstream}/v1`,
      'x-portkey-forward-headers': 'x-mode,x-delay',
    },
  };
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

async function answering(port, child) {
  for (let tries = 0; tries < 200; tries++) {
    if (child.exitCode !== null) throw new Error(`the gateway ended with ${child.exitCode}`);
    if (await answers(port)) return;
    await sleep(100);
  }
  throw new Error('the gateway does not answer');
}

function answers(port) {
  return new Promise((resolve) => {
    request({ host: '127.0.0.1', port, path: '/' }, (reply) => {
      reply.resume();
      reply.on('end', () => resolve(true));
    })
      .on('error', () => resolve(false))
      .end();
  });
}
