import { readFileSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import type { Decision, ObservedCall } from '../decision.ts';
import { type McpAdapter, type McpAdapterOptions, openMcpAdapter } from './mcp-adapter.ts';
import { ALLOW, BLOCK } from '../testing.ts';

const judge = ({ arguments: args }: ObservedCall): Decision => {
  if (String(args).includes('throw')) throw new Error('secret of the host');
  return String(args).includes('/etc') ? BLOCK : ALLOW;
};

/** Returns every line unchanged. */
const ECHO = 'process.stdin.pipe(process.stdout)';
const call = (id: unknown, path: string) =>
  `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"method":"tools/call","params":{"name":"w","arguments":{"path":"${path}"}}}\n`;

let adapters: McpAdapter[] = [];
afterEach(() => {
  for (const adapter of adapters) adapter.signal('SIGKILL');
  adapters = [];
});

interface Opened {
  readonly adapter: McpAdapter;
  readonly input: PassThrough;
  readonly said: () => string;
  readonly decisions: Parameters<NonNullable<McpAdapterOptions['onDecision']>>[];
  /** Resolves when the output matches. */
  until(fits: (text: string) => boolean): Promise<void>;
}

const open = (script: string, more: Partial<McpAdapterOptions> = {}): Opened => {
  const input = new PassThrough();
  const output = new PassThrough();
  const chunks: Buffer[] = [];
  output.on('data', (chunk: Buffer) => chunks.push(chunk));
  const decisions: Opened['decisions'] = [];
  const adapter = openMcpAdapter({
    command: process.execPath,
    args: ['-e', script],
    input,
    output,
    judge,
    mode: 'enforce',
    onDecision: (...told) => void decisions.push(told),
    ...more,
  });
  adapters.push(adapter);
  adapter.ended.catch(() => {});
  const said = () => Buffer.concat(chunks).toString();
  return {
    adapter,
    input,
    said,
    decisions,
    async until(fits) {
      for (let i = 0; i < 1_000 && !fits(said()); i++) await wait(20);
      expect(said()).toSatisfy(fits);
    },
  };
};

const blockedText = (line: string) =>
  (JSON.parse(line) as { result: { isError: boolean; content: { type: string; text: string }[] } }).result;

describe('the adapter of an MCP server', () => {
  it('passes every byte of what is allowed, at any cut, and ends with the server', async () => {
    const { adapter, input, said, decisions } = open(ECHO);
    const text = `\r\n${call(1, 'é/a.txt')}  {"jsonrpc" : "2.0","method":"notifications/initialized"}\r\n${call('x', 'src/b')}`;
    for (const byte of Buffer.from(text)) input.write(Buffer.from([byte]));
    input.end();
    expect(await adapter.ended).toEqual({ code: 0, signal: null });
    expect(said()).toBe(text);
    expect(decisions.map(([{ decision }, tool]) => [decision, tool])).toEqual([
      ['allow', 'w'],
      ['allow', 'w'],
    ]);
  });

  it('answers a blocked call itself, under its id; the server never sees it', async () => {
    const { adapter, input, said } = open(ECHO);
    input.end(call('id-\u00e9', '/etc/x') + call(2, 'a'));
    await adapter.ended;
    const lines = said().trimEnd().split('\n');
    expect(lines).toHaveLength(2);
    const own = lines.find((line) => line.includes('isError')) as string;
    expect(JSON.parse(own)).toMatchObject({ jsonrpc: '2.0', id: 'id-é' });
    expect(blockedText(own)).toEqual({
      isError: true,
      content: [
        {
          type: 'text',
          text: "Refused: w was not run. Path '/etc/x' is outside the project directory. Use a path inside /p. Nothing was changed.",
        },
      ],
    });
    expect(said()).toContain(call(2, 'a'));
  });

  it('blocks if judging fails, without details', async () => {
    const { adapter, input, said } = open(ECHO);
    input.end(call(1, 'throw'));
    await adapter.ended;
    expect(blockedText(said()).isError).toBe(true);
    expect(said()).not.toContain('secret of the host');
  });

  it('answers batches, broken lines and ambiguous calls, and passes none of them', async () => {
    const { adapter, input, said, decisions } = open(ECHO);
    input.write(`[${call(1, 'a').trim()},{"id":"b","method":"ping"}]\n`);
    input.write('not json\n');
    input.end('{"id":3,"method":"tools/call","params":{"name":"w","name":"v","arguments":{}}}\n');
    await adapter.ended;
    const answers = said()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: unknown; error?: { code: number }; result?: object });
    expect(answers.map(({ id, error }) => [id, error?.code])).toEqual([
      [1, -32600],
      ['b', -32600],
      [null, -32700],
      [3, undefined],
    ]);
    expect(answers[3]?.result).toMatchObject({ isError: true });
    expect(decisions.map(([{ rule }]) => rule)).toEqual(Array(3).fill('ambiguous-arguments'));
  });

  it('drops a blocked notification silently', async () => {
    const { adapter, input, said, decisions } = open(ECHO);
    input.end('{"jsonrpc":"2.0","method":"tools/call","params":{"name":"w","arguments":{"path":"/etc/x"}}}\n');
    await adapter.ended;
    expect(said()).toBe('');
    expect(decisions).toHaveLength(1);
  });

  it('lets everything through in a dry run and when it is off, and judges only in the dry run', async () => {
    for (const mode of ['dry-run', 'off'] as const) {
      const { adapter, input, said, decisions } = open(ECHO, { mode });
      const text = `${call(1, '/etc/x')}[]\nnot json\n`;
      input.end(text);
      await adapter.ended;
      expect(said()).toBe(text);
      expect(decisions).toHaveLength(mode === 'off' ? 0 : 3);
    }
  });

  it('refuses a message that is too large under its id, without buffering it, and continues', async () => {
    const { adapter, input, said, decisions } = open(ECHO, { maxMessageBytes: 64 * 1024 });
    const before = process.memoryUsage().rss;
    input.write('{"jsonrpc":"2.0","params":{"name":"w","arguments":{"id":5,"content":"');
    const part = Buffer.alloc(1024 * 1024, 'x');
    for (let i = 0; i < 40; i++) if (!input.write(part)) await new Promise((resolve) => input.once('drain', resolve));
    input.write('"}},"method":"tools/call","id":"big"}\n');
    input.end(call(2, 'a'));
    await adapter.ended;
    const [first = '', second = ''] = said().split('\n');
    expect(JSON.parse(first)).toMatchObject({ id: 'big', error: { code: -32600 } });
    expect(`${second}\n`).toBe(call(2, 'a'));
    expect(decisions[0]?.[0].rule).toBe('too-large');
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024);
  });

  it("never writes a response into the middle of a server's line", async () => {
    const script = `
      process.stdout.write('{"half":');
      let n = 0;
      process.stdin.on('data', (d) => { if (++n === 1) setTimeout(() => process.stdout.write('1}\\n{"rest"'), 300); });
      process.stdin.on('end', () => process.stdout.write(':2}\\n'));`;
    const { adapter, input, said, until } = open(script);
    await until((text) => text.includes('half'));
    input.write(call(1, '/etc/x'));
    input.write(call(2, 'ok'));
    await until((text) => text.includes('rest'));
    input.end();
    await adapter.ended;
    const lines = said().trimEnd().split('\n');
    for (const line of lines) JSON.parse(line);
    expect(lines.map((line) => Object.keys(JSON.parse(line) as object)[0])).toEqual(['half', 'jsonrpc', 'rest']);
  });

  it('reports the name of the client from its initialize request', async () => {
    const { adapter, input, decisions } = open(ECHO);
    input.write('{"id":0,"method":"initialize","params":{"clientInfo":{"name":"editor","version":"1"}}}\n');
    input.end(call(1, 'a'));
    await adapter.ended;
    expect(decisions[0]?.[2]).toBe('editor');
  });

  it("ends with the server's code, or by its signal, while the client is still there", async () => {
    expect(await open('process.exit(7)').adapter.ended).toEqual({ code: 7, signal: null });
    expect(await open('process.kill(process.pid, "SIGKILL")').adapter.ended).toEqual({ code: null, signal: 'SIGKILL' });
  });

  it('reports that the server cannot be started', async () => {
    const { adapter } = open('', { command: '/nowhere/at/all' });
    await expect(adapter.ended).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('passes SIGTERM on, and kills a server that ignores it, with its child processes', async () => {
    const script = `
      process.on('SIGTERM', () => {});
      const inner = require('child_process').spawn(process.execPath, ['-e', 'process.on("SIGTERM",()=>{});setInterval(()=>{},1000)'], { stdio: 'inherit' });
      process.stdout.write(JSON.stringify({ pids: [process.pid, inner.pid] }) + '\\n');
      setInterval(() => {}, 1000);`;
    const { adapter, said, until } = open(script);
    await until((text) => text.includes('\n'));
    const { pids } = JSON.parse(said()) as { pids: number[] };
    await wait(300);
    adapter.signal('SIGTERM');
    expect(await adapter.ended).toEqual({ code: null, signal: 'SIGKILL' });
    await expect.poll(() => pids.filter(isRunning)).toEqual([]);
  });

  it('stops reading from a client that does not read, and buffers little', async () => {
    const input = new PassThrough();
    const output = new PassThrough();
    const adapter = openMcpAdapter({
      command: process.execPath,
      args: ['-e', ECHO],
      input,
      output,
      judge,
      mode: 'enforce',
    });
    adapters.push(adapter);
    const line = call(1, '/etc/x');
    let sent = 0;
    for (let i = 0; i < 400; i++) {
      sent += 1_000;
      if (!input.write(line.repeat(1_000))) {
        const isDrained = await Promise.race([
          new Promise((resolve) => input.once('drain', () => resolve(true))),
          wait(500).then(() => false),
        ]);
        if (!isDrained) break;
      }
    }
    expect(sent).toBeLessThan(50_000);
    output.resume();
    input.end();
    expect(await adapter.ended).toEqual({ code: 0, signal: null });
  });
});

/** Whether the process runs. A zombie process does not count: some init processes do not reap. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== 'linux' || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
