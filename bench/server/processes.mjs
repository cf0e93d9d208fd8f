import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { get, request } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sleep } from '../lib/measure.mjs';
import { cpuBetween, cpuSnapshot } from '../lib/procfs.mjs';

export const CROFT = fileURLToPath(new URL('../../apps/cli/dist/croft.cjs', import.meta.url));

/** A text that only the studio's page contains. */
const STUDIO_MARK = '<div id="root">';
const GIVE_UP_MS = 60_000;
const LOOK_EVERY_MS = 4;

/** An empty home directory, so that no settings of this machine are read. */
export function environmentOf(home) {
  mkdirSync(home, { recursive: true });
  return { PATH: process.env.PATH, HOME: home, CROFT_BASE_DIR: join(home, 'base'), CROFT_LOG_LEVEL: 'warn' };
}

/**
 * Starts `croft serve` as its own process and waits until it is ready.
 *
 * @param {string} home contains its base directory; using it again measures a warm start
 * @param {Record<string, string>} more further variables of its environment
 * @returns times from the process's start: `pageMs` to the studio's page, `readyMs` to /readyz, and the server itself
 */
export async function startServe(home, more = {}) {
  const port = await freePort();
  const env = { ...environmentOf(home), ...more };
  const start = performance.now();
  const child = startCroft(['serve', '--port', String(port), '--no-open'], env, home);
  const url = `http://127.0.0.1:${port}`;
  try {
    const page = async () => (await fetchText(`${url}/`)).text.includes(STUDIO_MARK);
    await until(page, child, 'the page of the studio (npm run build)');
    const pageMs = performance.now() - start;
    await until(async () => (await fetchText(`${url}/readyz`)).status === 200, child, '/readyz');
    const readyMs = performance.now() - start;
    return { child, url, pageMs, readyMs, key: readFileSync(join(env.CROFT_BASE_DIR, 'mcp-token'), 'utf8').trim() };
  } catch (error) {
    await child.end();
    throw error;
  }
}

/** Starts `croft connect --json` and collects its events. */
export function startConnect(home, dir, args = []) {
  const child = startCroft(['connect', ...args, '--json', '--dir', dir], environmentOf(home), dir);
  const events = [];
  let rest = '';
  child.process.stdout.on('data', (chunk) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop();
    for (const line of lines) events.push({ ...JSON.parse(line), at: performance.now() });
  });
  const next = async (type) => {
    await until(() => events.some((event) => event.type === type), child, `"${type}" of croft connect`, 1);
    return events.find((event) => event.type === type);
  };
  return { ...child, events, next, count: (type) => events.filter((event) => event.type === type).length };
}

function startCroft(args, env, cwd) {
  if (!existsSync(CROFT)) throw new Error(`there is no ${CROFT}: run npm run build first`);
  const child = spawn(process.execPath, [CROFT, ...args], { env, cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  const killNow = () => child.kill('SIGKILL');
  process.once('exit', killNow);
  let said = '';
  const hear = (chunk) => {
    said = (said + chunk).slice(-2_000);
  };
  child.stdout.on('data', hear);
  child.stderr.on('data', hear);
  const ended = new Promise((resolve) => child.once('exit', resolve));
  void ended.then(() => process.off('exit', killNow));
  return {
    process: child,
    said: () => said,
    async end() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** Polls until the condition holds. @throws Error with the process's output, if it ended or the condition never held */
async function until(isSo, child, what, everyMs = LOOK_EVERY_MS) {
  for (const giveUpAt = Date.now() + GIVE_UP_MS; Date.now() < giveUpAt; await sleep(everyMs)) {
    if (child.process.exitCode !== null) throw new Error(`it ended before ${what}: ${child.said()}`);
    if (await isSo()) return;
  }
  throw new Error(`no ${what} within ${GIVE_UP_MS / 1e3} s: ${child.said()}`);
}

/** Fetches a text; status 0 and no text if there is no response. */
function fetchText(url) {
  return new Promise((resolve) => {
    get(url, { agent: false }, (res) => {
      let text = '';
      res.setEncoding('utf8');
      res.on('data', (chunk) => {
        text += chunk;
      });
      res.on('end', () => resolve({ status: res.statusCode, text }));
    }).on('error', () => resolve({ status: 0, text: '' }));
  });
}

/** Sends a POST of JSON with a bearer token, through the given agent. @returns the status and the parsed response */
export function post(url, key, body, agent) {
  const bytes = Buffer.from(JSON.stringify(body));
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    'content-length': bytes.length,
  };
  return new Promise((resolve, reject) => {
    const req = request(url, { method: 'POST', agent, headers }, (res) => {
      const chunks = [];
      res.on('data', (chunk) => chunks.push(chunk));
      res.on('end', () => {
        try {
          resolve({ status: res.statusCode, answer: JSON.parse(Buffer.concat(chunks).toString()) });
        } catch (error) {
          reject(error);
        }
      });
      res.on('error', reject);
    });
    req.on('error', reject);
    req.end(bytes);
  });
}

/** A free port, found by opening and closing it. */
function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/** A process and all its descendants. */
export function family(pid) {
  const children = new Map();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const parent = parentOf(name);
    if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const found = [pid];
  for (const one of found) found.push(...(children.get(one) ?? []));
  return found;
}

function parentOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    // The process ended while the list was read.
    return undefined;
  }
}

/** Resident memory of processes together, in MB of 10^6 bytes: each for itself, and with shared pages counted once. */
export function memoryOf(pids) {
  let rss = 0;
  let pss = 0;
  for (const pid of pids) {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1');
    rss += Number(/^Rss:\s+(\d+)/m.exec(text)[1]);
    pss += Number(/^Pss:\s+(\d+)/m.exec(text)[1]);
  }
  return { rssMb: (rss * 1024) / 1e6, pssMb: (pss * 1024) / 1e6 };
}

/** CPU use of processes over a time, in percent of one core. */
export async function cpuPercentOf(pids, overMs) {
  const before = pids.map((pid) => cpuSnapshot(pid));
  const start = performance.now();
  await sleep(overMs);
  const used = pids.reduce((sum, pid, i) => sum + cpuBetween(before[i], cpuSnapshot(pid)), 0);
  return (used / (performance.now() - start)) * 100;
}
