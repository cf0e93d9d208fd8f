// node tests/soak/gateway-idle.mjs [--machines=5000] [--entries=200] [--seconds=35]: measures what an idle machine costs a hub.
// A separate process runs the hub behind node's HTTP server; this one simulates the machines, each with a session, an uploaded
// tree and an open stream. Prints KB per machine and whether every ping came; fails above 48 KB.
import { fork } from 'node:child_process';
import { createServer, get, request } from 'node:http';
import { fileURLToPath } from 'node:url';

const MAX_KB = 48;
const PING_MS = 15_000;

if (process.send) await serve();
else await play();

/** The server: reports its memory on request. */
async function serve() {
  const { createHub } = await import('../../packages/gateway/dist/hub/index.js');
  const { memoryGatewayStore } = await import('../../packages/gateway/dist/hub/testing.js');
  const hub = createHub({
    store: memoryGatewayStore(),
    pingMs: PING_MS,
    linkFor: (_user, token) => ({ command: token, url: '' }),
  });
  const identify = async (req) => req.headers.cookie;
  const server = createServer((req, res) => hub.handle(req, res, identify) || res.writeHead(404).end());
  server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
  process.on('message', () => void report(hub));
}

async function report(hub) {
  // Twice, with time between: the second run collects objects that the first one released.
  for (let n = 0; n < 3; n++) {
    globalThis.gc();
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
  const { rss, heapUsed, external } = process.memoryUsage();
  process.send({ rss, heapUsed, external, cpu: process.cpuUsage(), load: hub.load });
}

async function play() {
  const option = (name, fallback) =>
    Number(process.argv.find((one) => one.startsWith(`--${name}=`))?.split('=')[1] ?? fallback);
  const machines = option('machines', 5_000);
  const entries = option('entries', 200);
  const seconds = option('seconds', 35);
  const child = fork(fileURLToPath(import.meta.url), [], { execArgv: ['--expose-gc'] });
  const { port } = await message(child);
  const post = poster(port);
  const tree = makeTree(entries);
  // The first few warm up code and pools, whose memory does not belong to a machine.
  for (let n = 0; n < 50; n++) await connect(post, port, `warm${n}`, tree);
  const before = await measure(child);
  const streams = [];
  const queue = Array.from({ length: machines }, (_, n) => `user${n}`);
  const worker = async () => {
    for (let user = queue.pop(); user !== undefined; user = queue.pop())
      streams.push(await connect(post, port, user, tree));
  };
  await Promise.all(Array.from({ length: 16 }, worker));
  const after = await measure(child);
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  const late = await measure(child);
  const wanted = Math.floor((seconds * 1000) / PING_MS);
  const pinged = streams.filter((stream) => stream.pings >= wanted).length;
  const kb = (late.rss - before.rss) / 1024 / machines;
  const cpu = (late.cpu.user + late.cpu.system - after.cpu.user - after.cpu.system) / (seconds * 1e6);
  const result = {
    machines,
    entries,
    kbPerMachine: round(kb),
    heapKbPerMachine: round((late.heapUsed - before.heapUsed) / 1024 / machines),
    externalKbPerMachine: round((late.external - before.external) / 1024 / machines),
    treeKbPerMachine: round(late.load.treeBytes / 1024 / (machines + 50)),
    rssMb: round(late.rss / 1024 / 1024),
    pingsKept: `${pinged} of ${machines} got at least ${wanted}`,
    idleCpuPercent: round(cpu * 100),
    broken: streams.filter((stream) => stream.isBroken).length,
  };
  console.log(JSON.stringify(result, null, 2));
  child.kill();
  process.exit(kb <= MAX_KB && pinged === machines && result.broken === 0 ? 0 : 1);
}

function makeTree(count) {
  const names = ['controllers', 'components', 'services', 'models', 'routes', 'views', 'assets', 'config'];
  return Array.from({ length: count }, (_, n) => {
    const dir = names[n % names.length];
    return n < names.length
      ? { path: dir, type: 'directory' }
      : { path: `${dir}/some-module-${n}.controller.ts`, type: 'file', sizeBytes: 1_000 + n * 37 };
  });
}

async function connect(post, port, user, tree) {
  const { token } = await post('/instance-ai/gateway/create-link', { cookie: user });
  const treeText = tree.map((entry) => `  ${entry.path}`).join('\n');
  const body = JSON.stringify({
    rootPath: `/home/${user}/project`,
    hostIdentifier: `${user}@laptop`,
    tree,
    treeText,
    tools: [],
    croft: { version: '0.1.0', protocol: 1, tools: ['get-file-tree', 'list-files', 'read-file', 'search-files'] },
  });
  const { sessionKey } = await post('/instance-ai/gateway/init', { 'x-gateway-key': token }, body);
  const headers = { 'x-gateway-key': sessionKey };
  return new Promise((resolve, reject) => {
    const stream = { pings: 0, isBroken: false };
    const options = { host: '127.0.0.1', port, path: '/instance-ai/gateway/events', headers, agent: false };
    get(options, (res) => {
      if (res.statusCode !== 200) reject(new Error(`events: ${res.statusCode}`));
      res.on('data', (chunk) => {
        stream.pings += chunk.toString().split(': ping').length - 1;
      });
      res.on('close', () => {
        stream.isBroken = true;
      });
      resolve(stream);
    }).on('error', reject);
  });
}

function poster(port) {
  return (path, headers, body = '{}') =>
    new Promise((resolve, reject) => {
      const all = { ...headers, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
      const options = { host: '127.0.0.1', port, path, method: 'POST', headers: all, agent: false };
      const req = request(options, (res) => {
        let text = '';
        res.on('data', (chunk) => {
          text += chunk;
        });
        res.on('end', () => (res.statusCode === 200 ? resolve(JSON.parse(text)) : reject(new Error(text))));
      });
      req.on('error', reject);
      req.end(body);
    });
}

function message(child) {
  return new Promise((resolve) => child.once('message', resolve));
}

function measure(child) {
  const answer = message(child);
  child.send('measure');
  return answer;
}

function round(value) {
  return Math.round(value * 10) / 10;
}
