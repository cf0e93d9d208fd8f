import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fileDir } from '../../../../tests/support/temp-dir.ts';
import { tryServer } from './try-server.ts';

const dir = fileDir();

/** Starts a program with `body` as its code: `ask` is a request, `say(result)` answers it. */
function run(body: string, timeoutMs = 5_000) {
  const script = join(dir, `server-${Math.random().toString(36).slice(2)}.mjs`);
  writeFileSync(
    script,
    `import { createInterface } from 'node:readline';
     const write = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
     createInterface({ input: process.stdin }).on('line', (line) => {
       const ask = JSON.parse(line);
       const say = (result) => write({ id: ask.id, result });
       ${body}
     });`,
  );
  return tryServer({ command: process.execPath, args: [script] }, { env: process.env, cwd: dir, timeoutMs });
}

const initialize = `if (ask.method === 'initialize') say({ protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 'twin', version: '1' } });`;

describe('trying a server as a client would', () => {
  it('counts the tools of all pages, and ignores notifications and unknown responses', async () => {
    const result = await run(`${initialize}
      if (ask.method !== 'tools/list') return;
      write({ method: 'notifications/message', params: {} });
      write({ id: 999, result: {} });
      say(ask.params.cursor ? { tools: [{}] } : { tools: [{}, {}], nextCursor: 'more' });`);
    expect(result).toEqual({ ok: true, tools: 3, server: 'twin' });
  });

  it('asks for tools only after it has said that it is initialized', async () => {
    const result = await run(`${initialize}
      if (ask.method === 'notifications/initialized') globalThis.ready = true;
      if (ask.method === 'tools/list') say({ tools: globalThis.ready ? [{}] : [] });`);
    expect(result).toMatchObject({ tools: 1 });
  });

  const failures: [string, string, RegExp][] = [
    [
      'ends at once, with its last word',
      `console.error('first'); console.error('no such directory'); process.exit(2);`,
      /exit code 2\); it said: no such directory/,
    ],
    [
      'answers with an error',
      `write({ id: ask.id, error: { code: -1, message: 'go\\u001b[2J away' } });`,
      /answered with an error: "?go\\u001b\[2J away/,
    ],
    ['talks to people on standard output', `process.stdout.write('Welcome!\\n');`, /something else than MCP/],
    ['lists no tools', `${initialize} if (ask.method === 'tools/list') say({});`, /no list of tools/],
  ];
  for (const [what, body, problem] of failures) {
    it(`says why when it ${what}`, async () => {
      const result = await run(body);
      expect(result.ok).toBe(false);
      expect(result.ok ? '' : result.problem).toMatch(problem);
    });
  }

  it('says so when the program does not exist', async () => {
    const result = await tryServer({ command: join(dir, 'nowhere'), args: [] }, { env: {}, cwd: dir });
    expect(result).toEqual({ ok: false, problem: 'could not be started (ENOENT)' });
  });

  it('gives up on a silent server and leaves no process behind, not even one it started', async () => {
    const result = await run(
      `import('node:child_process').then(({ spawn }) => {
         const inner = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' });
         console.error('pids ' + process.pid + ' ' + inner.pid);
       });
       setInterval(() => {}, 1000);`,
      1_500,
    );
    const problem = result.ok ? '' : result.problem;
    expect(problem).toContain('no answer within 1.5 s');
    const pids = /pids (\d+) (\d+)/.exec(problem)?.slice(1).map(Number) ?? [];
    expect(pids).toHaveLength(2);
    // A killed orphan is a zombie until init reaps it, so the test checks that it no longer runs.
    await expect.poll(() => pids.filter(runs)).toEqual([]);
  });
});

function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  return !isZombie(pid);
}

function isZombie(pid: number): boolean {
  try {
    return /\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return process.platform === 'linux';
  }
}
