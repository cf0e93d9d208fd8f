// Kills a real `croft mcp` during a change, and undoes everything with `croft undo`.
import { execFile, spawn, spawnSync } from 'node:child_process';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const PROGRAM = join(here, '../../apps/cli/dist/croft.cjs');

/** One change of every kind, each in a fresh workspace. */
export const CHANGES = [
  ['write_file', { path: 'new/deep/a.txt', content: 'first\n' }],
  ['write_file', { path: 'old.txt', content: 'overwritten' }],
  ['edit_file', { path: 'old.txt', old_string: 'was', new_string: 'is' }],
  ['append_file', { path: 'old.txt', content: 'added\n' }],
  ['create_dir', { path: 'made/deep' }],
  ['move_path', { source: 'old.txt', destination: 'moved/b.txt' }],
  ['move_path', { source: 'dir', destination: 'moved' }],
  ['copy_path', { source: 'dir', destination: 'copies/dir' }],
  ['delete_path', { path: 'old.txt' }],
  ['delete_path', { path: 'link' }],
  ['delete_path', { path: 'dir', recursive: true }],
];

/** V8's code caches of earlier programs. With them, a start takes two thirds of the processor time. */
const codeCaches = new Map();

/** A tree whose programs start with code caches. */
function makeTree() {
  if (codeCaches.size === 0) {
    const first = makeColdTree();
    // A killed program keeps no cache.
    spawnSync(process.execPath, [PROGRAM, 'mcp', first.workspace], { env: first.env, input: '' });
    first.remove();
  }
  return makeColdTree();
}

function makeColdTree() {
  const root = mkdtempSync(join(tmpdir(), 'croft-killed-'));
  const cache = join(root, 'base/cache');
  mkdirSync(cache, { recursive: true, mode: 0o700 });
  for (const [name, data] of codeCaches) writeFileSync(join(cache, name), data, { mode: 0o600 });
  const workspace = join(root, 'workspace');
  mkdirSync(join(workspace, 'dir/sub'), { recursive: true });
  mkdirSync(join(root, 'home'));
  writeFileSync(join(workspace, 'old.txt'), 'as it was\n');
  writeFileSync(join(workspace, 'dir/x'), 'x');
  writeFileSync(join(workspace, 'dir/sub/y'), 'y');
  symlinkSync('dir/x', join(workspace, 'link'));
  const env = { PATH: process.env.PATH, HOME: join(root, 'home'), CROFT_BASE_DIR: join(root, 'base') };
  const remove = () => {
    for (const name of readdirSync(cache))
      if (name.endsWith('.bin') && !codeCaches.has(name)) codeCaches.set(name, readFileSync(join(cache, name)));
    rmSync(root, { recursive: true, force: true });
  };
  return { root, workspace, env, remove };
}

/** Kinds and contents of everything but temporary files, which the next start removes. */
function snapshot(dir, at = '') {
  return readdirSync(join(dir, at))
    .sort()
    .flatMap((name) => {
      const path = at === '' ? name : `${at}/${name}`;
      const full = join(dir, path);
      const stat = lstatSync(full);
      if (name.startsWith('.croft-tmp-')) return [];
      if (stat.isDirectory()) return [`${path}/`, ...snapshot(dir, path)];
      return [`${path} ${stat.isSymbolicLink() ? `-> ${readlinkSync(full)}` : readFileSync(full, 'latin1')}`];
    });
}

function startServer({ workspace, env }, point) {
  const child = spawn(process.execPath, ['--require', join(here, 'kill-at.cjs'), PROGRAM, 'mcp', workspace], {
    env: { ...env, KILL_AT: String(point) },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  let rest = '';
  const answers = new Map();
  const waiting = new Map();
  child.stdout.on('data', (chunk) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop();
    for (const line of lines.filter(Boolean)) {
      const message = JSON.parse(line);
      answers.set(message.id, message);
      waiting.get(message.id)?.();
    }
  });
  child.stdin.on('error', () => {});
  const gone = new Promise((resolve) => child.once('close', resolve));
  let ids = 0;
  /** The response, or `undefined` if the process ended first. */
  const request = async (method, params) => {
    const id = ++ids;
    const answered = new Promise((resolve) => waiting.set(id, resolve));
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    await Promise.race([answered, gone]);
    return answers.get(id);
  };
  const open = async () => {
    const info = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'killed', version: '1' } };
    await request('initialize', info);
    child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  };
  const call = (name, args) => request('tools/call', { name, arguments: args });
  return { open, call, gone, kill: () => child.kill('SIGKILL') };
}

function takeAllBack({ workspace, env }) {
  return new Promise((resolve) => {
    const args = [PROGRAM, 'undo', '--since', '1d', '--yes', '--json', '--dir', workspace];
    execFile(process.execPath, args, { env, maxBuffer: 1 << 26 }, (error, stdout, stderr) => {
      const code = error ? error.code : 0;
      resolve({ code, stderr, undone: code === 0 || stdout.startsWith('[') ? JSON.parse(stdout) : [] });
    });
  });
}

async function judge(tree, before) {
  const after = snapshot(tree.workspace);
  const isChanged = JSON.stringify(after) !== JSON.stringify(before);
  const { code, stderr, undone } = await takeAllBack(tree);
  const problems = [];
  if (code !== 0) problems.push(`croft undo ended with ${code}: ${stderr} ${JSON.stringify(undone)}`);
  if (isChanged && undone.length === 0) problems.push('a change without a record');
  const now = snapshot(tree.workspace);
  if (JSON.stringify(now) !== JSON.stringify(before)) problems.push(`not taken back: ${JSON.stringify(now)}`);
  return { isChanged, undone: undone.length, problems };
}

/**
 * Kills the process at a point of one change: see `kill-at.cjs`.
 *
 * @returns `isDone`: the change was answered first; the process is killed then
 */
export async function killDuring([name, args], point) {
  const tree = makeTree();
  try {
    const before = snapshot(tree.workspace);
    const server = startServer(tree, point);
    await server.open();
    await server.call('file_info', { path: 'arm' });
    const answer = await server.call(name, args);
    server.kill();
    await server.gone;
    return { isDone: answer !== undefined, ...(await judge(tree, before)) };
  } finally {
    tree.remove();
  }
}

/** Kills a process that makes one change after another, after a random time. */
export async function killAtRandom(maxMs) {
  const tree = makeTree();
  try {
    const before = snapshot(tree.workspace);
    const server = startServer(tree, Number.POSITIVE_INFINITY);
    await server.open();
    setTimeout(() => server.kill(), Math.random() * maxMs);
    for (let i = 0; ; i++) {
      const calls = [
        ['write_file', { path: `n${i}/a.txt`, content: `${i}` }],
        ['write_file', { path: 'old.txt', content: `${i} `.repeat(1 + (i % 500)) }],
        ['append_file', { path: 'old.txt', content: `added ${i}\n` }],
        ['edit_file', { path: 'old.txt', old_string: `added ${i}`, new_string: 'edited' }],
        ['copy_path', { source: 'dir', destination: `copy${i}` }],
        ['move_path', { source: `copy${i}`, destination: `moved/c${i}` }],
        ['delete_path', { path: `n${i}`, recursive: true }],
      ];
      // All at once: some are under way when the kill comes.
      if ((await Promise.all(calls.map(([name, args]) => server.call(name, args)))).includes(undefined)) break;
    }
    await server.gone;
    return await judge(tree, before);
  } finally {
    tree.remove();
  }
}
