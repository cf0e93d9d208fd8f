import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  callOn,
  initialize,
  openWire,
  startMcpHttp,
  type Surroundings,
  useSurroundings,
  type Wire,
} from '@croft/mcp/testing';
import { landlockAbi } from '@croft/workspace';
import { bindMount } from '@croft/workspace/testing';
import { describe, expect, it } from 'vitest';

/**
 * Simulates a bug in the path resolver: code inside the running program that reads, writes and lists outside, on the main
 * thread, through libuv's pool and in a thread of its own. It is preloaded, waits until the program serves, and writes its
 * findings into the workspace.
 */
const INTRUDER = `
const fs = require('node:fs');
const { isMainThread, Worker } = require('node:worker_threads');
const outside = process.env.INTRUDER_OUTSIDE;
const attempt = async (act) => { try { await act(); return 'done'; } catch (error) { return error.code; } };
const inThread = \`
  const { parentPort, workerData } = require('node:worker_threads');
  const fs = require('node:fs');
  try { fs.readFileSync(workerData); parentPort.postMessage('done'); } catch (error) { parentPort.postMessage(error.code); }\`;
if (isMainThread) process.stdin.once('data', () => setTimeout(async () => {
  const found = {
    sync: await attempt(() => fs.readFileSync(outside)),
    pool: await attempt(() => fs.promises.readFile(outside)),
    thread: await new Promise((resolve) => new Worker(inThread, { eval: true, workerData: outside }).once('message', resolve)),
    write: await attempt(() => fs.writeFileSync(outside + '.new', 'x')),
    list: await attempt(() => fs.readdirSync(require('node:path').dirname(outside))),
    inside: await attempt(() => fs.readFileSync(process.env.INTRUDER_INSIDE)),
  };
  fs.writeFileSync(process.env.INTRUDER_REPORT, JSON.stringify(found));
}, 300));
`;

let surroundings: Surroundings;

const wires = useSurroundings((made) => {
  surroundings = made;
  writeFileSync(join(made.root, 'outside.txt'), 'secret');
  writeFileSync(join(made.workspace, 'inside.txt'), 'needle');
  // Threads preload it too, so it is in a directory that the program may read.
  writeFileSync(join(made.workspace, 'intruder.cjs'), INTRUDER);
});

async function intrude(
  args: readonly string[],
  more: Record<string, string> = {},
): Promise<{ found: unknown; wire: Wire }> {
  const report = join(surroundings.workspace, 'report.json');
  const env = {
    ...surroundings.env,
    INTRUDER_OUTSIDE: join(surroundings.root, 'outside.txt'),
    INTRUDER_INSIDE: join(surroundings.workspace, 'inside.txt'),
    INTRUDER_REPORT: report,
    CROFT_VERBOSE: '1',
    ...more,
  };
  const wire = openWire(['mcp', surroundings.workspace, ...args], {
    env,
    nodeArgs: ['-r', join(surroundings.workspace, 'intruder.cjs')],
  });
  wires.push(wire);
  await initialize(wire);
  expect((await callOn(wire, 'grep_search', { pattern: 'needle' })).data).toMatchObject({ matches: ['inside.txt'] });
  await expect.poll(() => existsSync(report) && readFileSync(report, 'utf8') !== '').toBe(true);
  return { found: JSON.parse(readFileSync(report, 'utf8')), wire };
}

const SHUT = { sync: 'EACCES', pool: 'EACCES', thread: 'EACCES', write: 'EACCES', list: 'EACCES', inside: 'done' };
const OPEN = { sync: 'done', pool: 'done', thread: 'done', write: 'done', list: 'done', inside: 'done' };

describe.skipIf(landlockAbi() < 2)('the second sandbox', () => {
  it('denies access outside to code in the process: on the main thread, in the pool and in a worker', async () => {
    const { found, wire } = await intrude([]);
    expect(found).toEqual(SHUT);
    expect(existsSync(join(surroundings.root, 'outside.txt.new'))).toBe(false);
    expect(wire.stderr()).toBe('');
  });

  it('is off with --no-second-wall', async () => {
    expect((await intrude(['--no-second-wall'])).found).toEqual(OPEN);
  });

  it('is not reported as on if io_uring could bypass it', async () => {
    const { found, wire } = await intrude([], { UV_USE_IO_URING: '1' });
    // A version of Node with execve restarts without the variable, and then the sandbox is on.
    const canRestart = typeof (process as { execve?: unknown }).execve === 'function';
    expect(found).toEqual(canRestart ? SHUT : OPEN);
    if (!canRestart) expect(wire.stderr()).toContain('UV_USE_IO_URING is set');
  });

  it('does not hide mounts from the rule that changes must not cross one', async ({ skip }) => {
    const outside = join(surroundings.root, 'mounted');
    const inside = join(surroundings.workspace, 'd/m');
    for (const dir of [outside, inside]) mkdirSync(dir, { recursive: true });
    writeFileSync(join(outside, 'kept.txt'), 'kept');
    const unmount = bindMount(outside, inside);
    if (!unmount) return skip('mounting needs root and CAP_SYS_ADMIN');
    try {
      const wire = openWire(['mcp', surroundings.workspace, '--require-sandbox'], { env: surroundings.env });
      wires.push(wire);
      await initialize(wire);
      for (const [tool, input] of [
        ['write_file', { path: 'd/m/kept.txt', content: 'x' }],
        ['delete_path', { path: 'd', recursive: true }],
      ] as const)
        expect((await callOn(wire, tool, input)).data.error, tool).toMatch(/d\/m(?: is a mount|\. Move)/);
      expect(readFileSync(join(inside, 'kept.txt'), 'utf8')).toBe('kept');
    } finally {
      unmount();
    }
  });

  it('is reported by croft mcp --http only if it is on', async () => {
    const claims = async (...args: string[]) => {
      const serve = await startMcpHttp([surroundings.workspace, ...args], surroundings);
      await serve.stop();
      return /second sandbox (.*)/.exec(serve.wire.stdout())?.[1];
    };
    expect(await claims()).toBe('on (Landlock)');
    expect(await claims('--no-second-wall')).toBe('off (switched off)');
  });
});
