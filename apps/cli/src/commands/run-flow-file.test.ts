import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtinRegistry } from '@croft/components';
import { buildFromSpec, type FlowDocument } from '@croft/flow';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readsRows } from '../../../server/src/testing-flows.ts';
import { captureOutput } from '../../../../tests/support/capture-output.ts';
import { testDir } from '../../../../tests/support/temp-dir.ts';
import { UsageError } from '../usage-error.ts';
import type { RunFlags } from './run-flags.ts';
import { runFlowFile } from './run-flow-file.ts';

const ECHO = 'name: Echo\nnodes:\n  I: ChatInput\n  O: ChatOutput\nedges:\n  I.message -> O.input_value\n';
const MODEL =
  'name: M\nnodes:\n  I: ChatInput\n  M: LanguageModelComponent\n  O: ChatOutput\nedges:\n  I.message -> M.input_value\n  M.text_output -> O.input_value\n';
let dir: string;
let output: { out: string; err: string };
beforeEach(() => {
  dir = testDir();
  output = captureOutput();
  process.exitCode = undefined;
  vi.stubEnv('CROFT_BASE_DIR', join(testDir(), 'base'));
  for (const name of Object.keys(process.env)) if (name.endsWith('_API_KEY')) vi.stubEnv(name, undefined);
  vi.stubEnv('OLLAMA_BASE_URL', '');
});
afterEach(() => void vi.unstubAllEnvs());

/** Runs a flow without the second sandbox, which would restrict this process. */
async function run(spec: string, flags: Partial<RunFlags> = {}) {
  const file = join(dir, 'a.flow');
  writeFileSync(file, spec);
  const common = { input: [], timeout: 20, allowHost: [], allowCommand: [], credential: [], secondWall: false };
  await runFlowFile(file, { ...common, dir, ...flags });
  return { ...output, code: process.exitCode };
}
const time = /\(Ran in [\d.]+s\)\n$/;

describe('croft run FILE', () => {
  it('prints the result alone on standard output', async () => {
    const { out, err, code } = await run(ECHO, { input: ['hello'] });
    expect({ out, code }).toEqual({ out: 'hello\n', code: 0 });
    expect(err).toMatch(time);
    expect(err).not.toContain('tokens');
  });

  it('prints each event with --json, and no result', async () => {
    const { out, err } = await run(ECHO, { input: ['hello'], json: true });
    const kinds = out
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { kind: string }).kind);
    expect(kinds.at(-1)).toBe('run_finished');
    expect(kinds).toContain('node_finished');
    expect(err).toBe('');
  });

  it('stops after the component of --until', async () => {
    const { out } = await run(ECHO, { input: ['hello'], until: 'I', json: true });
    expect(out).not.toContain('"node":"O"');
    await expect(run(ECHO, { until: 'X' })).rejects.toThrow(UsageError);
  });

  it('does not run a flow with errors, but takes a missing value from --input', async () => {
    await expect(run('name: A\nnodes:\n  O: ChatOutput\n')).rejects.toThrow(/^the flow cannot run:\n {2}\S.+$/);
    const rows = readsRows('{a}');
    await expect(run(rows)).rejects.toThrow('the flow cannot run:');
    writeFileSync(join(dir, 'rows.csv'), 'a\nx\n');
    expect(await run(rows, { input: ['R.path=rows.csv'] })).toMatchObject({ out: 'x\n', code: 0 });
  });

  it('says which component failed, and what to do', async () => {
    const { out, err, code } = await run(readsRows('{a}', 'none.csv'));
    expect({ out, code }).toEqual({ out: '', code: 1 });
    expect(err).toMatch(/^failed {2}R: .+\. .+\n\(Ran in /);
  });

  it('ends after its time', async () => {
    const waits =
      'name: W\nnodes:\n  C: TypeScriptCode\n  O: ChatOutput\nedges:\n  C.o -> O.input_value\nconfig:\n  C.code: |\n    class W extends Component {\n      outputs = [{ name: "o", types: ["Message"], method: "run" }];\n      run() { for (;;); return 1; }\n    }\n';
    const { err, code } = await run(waits, { timeout: 0.05 });
    expect(code).toBe(1);
    expect(err).toMatch(/^timed out/);
  });

  it('does not count tokens of the offline model', async () => {
    const { out, err, code } = await run(MODEL, { input: ['hello'], model: 'croft/offline' });
    expect(code).toBe(0);
    expect(out.length).toBeGreaterThan(1);
    expect(err).toMatch(time);
    await expect(run(MODEL, { input: ['hello'], model: 'none' })).rejects.toThrow(/^--model: /);
  });

  it('leaves no listener for signals', async () => {
    const count = () => process.listenerCount('SIGINT') + process.listenerCount('SIGTERM');
    const before = count();
    await run(ECHO, { input: ['hello'] });
    expect(count()).toBe(before);
  });

  it('refuses to run without the sandbox that it must have', async () => {
    await expect(run(ECHO, { requireSandbox: true })).rejects.toThrow(/^Reduced protection: .*switched off/);
  });
});

describe('what croft run FILE writes', () => {
  it('names components by their names, and notes a text input that is empty', async () => {
    const { out, err } = await run(
      'name: T\nnodes:\n  I: TextInput\n  O: ChatOutput\nedges:\n  I.text -> O.input_value\n',
    );
    expect(out).toBe('(no output)\n');
    expect(err).toMatch(/^The text input is empty\. Give a text with --input 'text'\.\n\(Ran in [\d.]+s\)\n$/);
  });

  it('shows each component with its time on a terminal, and no control characters', async () => {
    const [out, err] = [process.stdout.isTTY, process.stderr.isTTY];
    Object.assign(process.stdout, { isTTY: true });
    Object.assign(process.stderr, { isTTY: true });
    vi.stubEnv('NO_COLOR', '1');
    const shown = await run(ECHO, { input: ['a\u001b[2Jb'] });
    output.err = '';
    const flow = buildFromSpec(ECHO, builtinRegistry(), (_, id) => id) as { flow: FlowDocument };
    const nodes = flow.flow.nodes.map((node) => (node.id === 'O' ? { ...node, name: 'The\u001b end' } : node));
    const named = await run(JSON.stringify({ ...flow.flow, nodes }), { input: ['x'] });
    Object.assign(process.stdout, { isTTY: out });
    Object.assign(process.stderr, { isTTY: err });
    expect(shown.out).toBe('a\\u001b[2Jb\n');
    expect(shown.err).toMatch(/^I {2}\d+ ms\nO {2}\d+ ms\n\(Ran in [\d.]+s\)\n$/);
    expect(named.err).toMatch(/^I {2}\d+ ms\nThe\\u001b end {2}\d+ ms\n\(Ran in [\d.]+s\)\n$/);
    expect((await run(ECHO, { input: ['a\u001bb'] })).out).toContain('a\u001bb\n');
  });

  it('lists every error of a flow with its correction', async () => {
    const failure = await run('name: A\nnodes:\n  O: ChatOutput\n  P: ChatOutput\n').catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(UsageError);
    expect((failure as Error).message.split('\n')).toHaveLength(3);
  });
});
