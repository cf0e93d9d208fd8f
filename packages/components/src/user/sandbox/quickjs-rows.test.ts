import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { beforeAll, describe, expect, it } from 'vitest';
import type { RowJob, RowLimits } from './messages.ts';
import { QuickJsRows, timeMessage } from './quickjs-rows.ts';
import { type WasmModule, webAssembly } from './web-assembly.ts';

let wasm: WasmModule;
beforeAll(async () => {
  const file = createRequire(import.meta.url).resolve('@jitl/quickjs-wasmfile-release-sync/wasm');
  wasm = await webAssembly.compile(readFileSync(file));
});

const LIMITS: RowLimits = { timeMs: 2_000, memoryBytes: 64 * 1024 * 1024, resultChars: 1_000, logLines: 3 };
function jobOf(js: string, more: Partial<Omit<RowJob, 'limits'>> & { limits?: Partial<RowLimits> } = {}): RowJob {
  const { limits, ...rest } = more;
  return {
    kind: 'row',
    id: 1,
    session: 4,
    isOpen: false,
    className: 'Own',
    js,
    library: '',
    inputs: '{"value":"a"}',
    outputs: [{ name: 'r', method: 'm' }],
    ...rest,
    limits: { ...LIMITS, ...limits },
  };
}
const body = (text: string) => `class Own extends Component {\n${text}\n}`;
async function run(text: string, more: Parameters<typeof jobOf>[1] = {}) {
  const job = jobOf(body(text), more);
  const rows = await QuickJsRows.open(wasm, job);
  return { rows, job, outcome: rows.run(job) };
}
const outcomeOf = async (...given: Parameters<typeof run>) => (await run(...given)).outcome;

describe('a row', () => {
  it('gives the wanted outputs from the inputs', async () => {
    expect(await outcomeOf('m() { return this.value + 1; }')).toEqual({ ok: true, outputs: '{"r":"a1"}', logs: [] });
    expect(await outcomeOf('async m() { await null; return [1]; }')).toMatchObject({ outputs: '{"r":[1]}' });
    expect(await outcomeOf('m() {}')).toMatchObject({ outputs: '{}' });
    expect(await outcomeOf('run() { return { r: 1 }; }', { outputs: [{ name: 'r' }] })).toMatchObject({
      outputs: '{"r":1}',
    });
    expect(
      await outcomeOf('m() { return 1; } n() { return 2; }', {
        outputs: [
          { name: 'a', method: 'm' },
          { name: 'b', method: 'n' },
        ],
      }),
    ).toMatchObject({ outputs: '{"a":1,"b":2}' });
    expect(await outcomeOf('m() { throw 1 }', { outputs: [] })).toMatchObject({ outputs: '{}' });
  });

  it('logs some lines of limited length', async () => {
    const { logs } = await outcomeOf(
      "m() { for (let i = 0; i < 9; i++) this.log(i, { a: 1 }, 'x'.repeat(2000)); return 1; }",
    );
    expect(logs).toHaveLength(3);
    expect(logs[1]?.startsWith('1 {"a":1} xxx')).toBe(true);
    expect(logs[1]).toHaveLength(1_000);
  });

  it('has the library, and nothing of the row before', async () => {
    const { rows, job, outcome } = await run('m() { globalThis.n = (globalThis.n ?? 0) + 1; return twice(n); }', {
      library: 'globalThis.twice = (x) => 2 * x;',
    });
    expect([outcome, rows.run(job), rows.isSpent, rows.session]).toMatchObject([
      { outputs: '{"r":2}' },
      { outputs: '{"r":2}' },
      false,
      4,
    ]);
  });
});

describe('a failure', () => {
  it.each<[string, string, object]>([
    ['an error', 'm() {\n throw new Error("no") }', { reason: 'thrown', message: 'no', line: 3 }],
    [
      'another error',
      'm() { null.x }',
      { reason: 'thrown', message: expect.stringMatching(/^TypeError: /) as string, line: 2 },
    ],
    ['a value', 'm() { throw 7 }', { reason: 'thrown', message: '7', line: 0 }],
    [
      'an object',
      'm() { throw {} }',
      { reason: 'thrown', message: 'The component threw a value that is not an error.' },
    ],
    [
      'an error with advice',
      'm() { throw Object.assign(new Error("no"), { name: "ComponentError", fix: "mend" }) }',
      { message: 'no', fix: 'mend' },
    ],
    [
      'a promise that nothing settles',
      'm() { return new Promise(() => {}) }',
      { reason: 'result', message: 'The component waits for a promise that nothing settles.' },
    ],
    [
      'outputs that are too large',
      'm() { return "x".repeat(2000) }',
      { reason: 'result', message: 'The outputs are larger than 1000 characters as JSON.' },
    ],
    [
      'a key that sets a prototype',
      'm() { return JSON.parse(\'{"__proto__":1}\') }',
      { reason: 'result', message: "The outputs have the key '__proto__'." },
    ],
    [
      'too much memory',
      'm() { const a = []; for (;;) a.push(new Uint8Array(1e6)) }',
      { reason: 'memory', message: 'The component needs more memory than it may have.' },
    ],
  ])('with %s', async (_, text, expected) => {
    expect(await outcomeOf(text)).toMatchObject({ ok: false, ...expected });
  });

  it('without outputs says so', async () => {
    expect(await outcomeOf('run() {}', { outputs: [{ name: 'r' }] })).toMatchObject({
      reason: 'result',
      message: 'The component gave no value.',
    });
  });

  it('takes advice only from an error of components', async () => {
    expect(await outcomeOf('m() { throw Object.assign(new Error("no"), { fix: "mend" }) }')).not.toHaveProperty('fix');
  });

  it('of time ends the module', async () => {
    const { outcome, rows, job } = await run('m() { for (;;); }', { limits: { timeMs: 50 } });
    expect(outcome).toEqual({ ok: false, reason: 'time', message: timeMessage(50), line: 0, logs: [] });
    expect(rows.isSpent).toBe(true);
    expect(rows.run(job)).toMatchObject({ ok: false, reason: 'memory' });
    expect(timeMessage(50)).toBe('The component did not end within 50 ms. Check its loops and regular expressions.');
  });

  it('by an error leaves the module for the next row', async () => {
    const { rows } = await run('m() { throw new Error("no") }');
    expect(rows.isSpent).toBe(false);
    expect(rows.run(jobOf(body('m() { return 1; }')))).toMatchObject({ ok: true });
    expect((await run('m() { return new Promise(() => {}) }')).rows.isSpent).toBe(true);
    expect((await run('m() { (async () => { for (;;) await 0; })(); return 1; }')).rows.isSpent).toBe(true);
  });

  it('names only lines that the source has', async () => {
    const thrown = (line: number) => `m() { const e = new Error('no'); e.stack = 'at Own.ts:${line}:1'; throw e; }`;
    const lines = await Promise.all([3, 4, 0].map(async (line) => (await outcomeOf(thrown(line))) as { line: number }));
    expect(lines.map(({ line }) => line)).toEqual([3, 0, 0]);
  });
});
