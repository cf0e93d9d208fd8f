import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtinRegistry } from '@croft/components';
import { buildFromSpec } from '@croft/flow';
import { type AnyTool, fixedWorkspace, makeToolset } from '@croft/tools';
import { openWorkspace } from '@croft/workspace';
import { memoryDir } from '@croft/workspace/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { loadConfig } from '../config/load-config.ts';
import { createQuotaLedgers } from '../files/quota-ledgers.ts';
import { createLog } from '../log.ts';
import { startTestServer, type TestServer, type Visitor } from '../testing.ts';
import { createRunThread, type RunThread, type RunThreadOptions } from './run-thread.ts';

describe('the thread of a server', () => {
  let server: TestServer;
  let page: Visitor;
  let picked: string;
  beforeAll(async () => {
    picked = mkdtempSync(join(tmpdir(), 'croft-run-thread-'));
    writeFileSync(join(picked, 'notes.md'), 'granite');
    const baseDir = mkdtempSync(join(memoryDir(), 'croft-run-thread-'));
    server = await startTestServer(
      { autoLogin: true, filesystemPath: picked, baseDir },
      { forTests: { runsInThread: true } },
    );
    await server.running.ready;
    page = await server.openPage();
  });
  afterAll(async () => {
    await server?.stop();
    for (const dir of [picked, server?.baseDir]) if (dir) rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
  });

  async function run(spec: string) {
    const built = buildFromSpec(spec, builtinRegistry(), (_type, id) => id);
    if ('error' in built) throw new Error(`${built.error} ${built.details}`);
    const stored = await page.json<any>('/api/v1/flows', { method: 'POST', json: { document: built.flow } });
    const queued = await page.json<any>(`/api/v1/flows/${stored.body.flow.id}/runs`, { method: 'POST', json: {} });
    expect(queued.status).toBe(202);
    const read = async () => (await page.json<any>(`/api/v1/runs/${queued.body.id}`)).body.run;
    await expect.poll(async () => (await read()).endedAt).not.toBeNull();
    return read();
  }
  const toggle = (enabled: boolean) =>
    page.json('/instance-ai/filesystem/toggle', { method: 'POST', json: { enabled } });
  const READ =
    'nodes:\n  R: RemoteFiles\n  O: ChatOutput\nedges:\n  R.message -> O.input_value\nconfig:\n  R.path: notes.md\n';

  it('runs queued runs, which use the connected machine of their user while its switch is on', async () => {
    await toggle(true);
    expect(await run(READ)).toMatchObject({ status: 'completed', text: 'granite' });
    await toggle(false);
    expect((await run(READ)).failure.message).toBe('No machine is connected.');
    expect((await page.json<any>('/api/v1/workers')).body.workers).toMatchObject([{ name: 'server' }]);
  });

  it('tells pages that a queued run changed files', async () => {
    const ending = new AbortController();
    const stream = await page.request('/api/v1/events', { signal: ending.signal });
    const reader = (stream.body as ReadableStream<Uint8Array>).getReader();
    let text = '';
    const reading = (async () => {
      for (;;) {
        const { value, done } = await reader.read();
        if (done) return;
        text += new TextDecoder().decode(value);
      }
    })().catch(() => {});
    await run(
      'nodes:\n  T: TextInput\n  W: SaveToFile\nedges:\n  T.text -> W.input\nconfig:\n  T.input_value: hello\n  W.file_name: note.txt\n',
    );
    await expect.poll(() => text).toContain('event: files');
    ending.abort();
    await reading;
  });

  it.runIf(process.platform === 'linux')('gives way to the thread of requests', () => {
    const niceOf = (thread: string) =>
      Number(readFileSync(`/proc/self/task/${thread}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[16]);
    const own = niceOf(String(process.pid));
    expect(readdirSync('/proc/self/task').map(niceOf)).toContain(Math.min(19, own + 10));
    expect(niceOf(String(process.pid))).toBe(own);
  });
});

describe('a thread of queued runs', () => {
  const opened: RunThread[] = [];
  let lines: string[];
  let said: (string | undefined)[];
  beforeEach(() => {
    lines = [];
    said = [];
  });
  afterEach(async () => {
    for (const each of opened.splice(0)) await each.stop();
  });

  /** Runs this code in place of the worker. It says something with `say`. */
  async function open(code: string, machineTools: RunThreadOptions['machineTools'] = async () => []) {
    const prelude = `import { parentPort as port } from 'node:worker_threads';
      const say = (userId) => port.postMessage({ kind: 'files', userId });
      const onStop = (work) => port.on('message', ({ kind }) => kind === 'stop' && work());
    `;
    const thread = createRunThread({
      settings: (await loadConfig({}, { env: {} })).values,
      quotaLedgers: createQuotaLedgers(),
      secretKeys: ['key'],
      workerGroup: '',
      workerName: 'server',
      log: createLog('debug', (line) => lines.push(line), false),
      onFilesChange: (text) => said.push(text),
      machineTools,
      program: new URL(`data:text/javascript,${encodeURIComponent(prelude + code)}`),
    });
    opened.push(thread);
    thread.open({});
    return thread;
  }

  it('is started again when it ends by itself, and the log has the reason', async () => {
    await open("say('started'); setTimeout(() => { throw new Error('broken part'); }, 50);");
    await expect.poll(() => said).toEqual(['started', 'started', 'started']);
    expect(lines[0]).toContain('the thread of queued runs ended');
    expect(lines[0]).toContain('broken part');
  });

  it('ends with an error of the database, of which the log has no values', async () => {
    // The address of the program, which is its code, is in the frames of the error.
    await open(`const secret = ['SEC', 'RET'].join('');
      const cause = new Error('invalid input syntax for type integer: "' + secret + '"');
      Object.assign(cause, { severity: 'ERROR', code: '22P02' });
      throw Object.assign(new Error('Failed query: select $1'), { cause, query: 'select $1', params: [secret] });`);
    await expect.poll(() => lines[0]).toContain('22P02');
    expect(lines.join()).not.toContain('SECRET');
  });

  it('hands its runs over before its server goes on, and is not started again', async () => {
    const thread = await open(`say('started');
      onStop(() => setTimeout(() => { say('handed over'); setImmediate(() => process.exit(0)); }, 300));`);
    await expect.poll(() => said).toEqual(['started']);
    await thread.stop();
    expect(said).toEqual(['started', 'handed over']);
    expect(lines).toEqual([]);
  });

  it('can be stopped before its program has begun', async () => {
    const thread = await open("say('started'); onStop(() => process.exit(0));");
    await thread.stop();
    expect(said).toEqual(['started']);
  });

  it('cancels a call of a machine, and gets a sentence without details where its tools fail', async () => {
    const held: AnyTool = {
      ...(makeToolset('explore', fixedWorkspace(openWorkspace(tmpdir())), { readOnly: true })[0] as AnyTool),
      name: 'held',
      input: z.strictObject({}),
      run: (_input, { signal }) =>
        new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(new Error('left')))),
    };
    await open(
      `port.on('message', (message) => message.id && say(JSON.stringify(message)));
      onStop(() => process.exit(0));
      port.postMessage({ kind: 'call-tool', id: 1, userId: 'ada', name: 'held', input: {} });
      port.postMessage({ kind: 'cancel', id: 1 });
      port.postMessage({ kind: 'list-tools', id: 2, userId: 'ben' });`,
      async (userId) => {
        if (userId === 'ben') throw new Error('secret detail');
        return [held];
      },
    );
    await expect.poll(() => said).toHaveLength(2);
    expect(said.find((text) => text?.includes('"id":1'))).toContain('"code":"cancelled"');
    expect(said.find((text) => text?.includes('"id":2'))).toContain('cannot be used. See the log of the server.');
    expect(said.join()).not.toContain('secret detail');
  });
});
