import { setTimeout as wait } from 'node:timers/promises';
import { closeSearchWorkers, WorkspaceError } from '@croft/workspace';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { callTool, type ToolTable } from './call-tool.ts';
import { type Bench, checkedCall, makeBench } from './testing.ts';
import { type AnyTool, type CallContext, READS, ToolError, type ToolErrorCode, type ToolResult } from './tool.ts';
import { TOOLSETS } from './toolset-names.ts';

afterAll(() => closeSearchWorkers());

/** A tool with a behaviour that the test chooses. */
const toolThat = (
  run: (input: never, context: CallContext) => ToolResult | Promise<ToolResult>,
  more: Partial<AnyTool> = {},
): AnyTool => ({
  name: 'probe',
  title: 'Probe',
  description: 'For this test.',
  tags: ['probe'],
  input: z.strictObject({ path: z.string().optional() }),
  annotations: READS,
  run,
  ...more,
});
const done: ToolResult = { ok: true, data: { status: 'ok' } };

describe('a call', () => {
  let bench: Bench;
  afterEach(() => bench.close());

  it('to an unknown tool lists the available ones; constructor and __proto__ are ordinary names', async () => {
    bench = makeBench('basic');
    for (const name of [
      'nope',
      'constructor',
      '__proto__',
      'toString',
      'hasOwnProperty',
      '',
      'READ_FILE',
      'read_file ',
      'x'.repeat(5_000),
    ]) {
      const { ok, data } = await bench.call(name, {});
      expect([ok, data.error]).toEqual([
        false,
        `Unknown tool: ${name.slice(0, 100)}. Available tools: read_file, write_file, list_dir`,
      ]);
    }
  });

  it('with unknown, missing, wrongly typed or null arguments is refused with the accepted arguments', async () => {
    bench = makeBench('files', ['a.txt']);
    const refused = async (name: string, input: unknown) => {
      const { ok, data } = await bench.call(name, input);
      expect(ok, JSON.stringify(input)).toBe(false);
      return String(data.error);
    };
    expect(await refused('read_file', {})).toBe(
      'Invalid arguments: path: Invalid input: expected string, received undefined. Arguments of read_file: path, offset, limit.',
    );
    expect(await refused('read_file', { path: 'a.txt', colour: 1 })).toBe(
      'Invalid arguments: Unrecognized key: "colour". Arguments of read_file: path, offset, limit.',
    );
    for (const path of [null, 1, true, [], {}, ['a.txt']])
      expect(await refused('read_file', { path })).toContain('path: Invalid input: expected string');
    for (const offset of ['1', 1.5, Number.NaN, true, {}])
      expect(await refused('read_file', { path: 'a.txt', offset })).toContain('offset: ');
    for (const content of [null, 1, ['x'], { text: 'x' }, undefined])
      expect(await refused('write_file', { path: 'n.txt', content })).toContain('content: ');
    for (const all of ['true', 1, null])
      expect(
        await refused('edit_file', { path: 'a.txt', old_string: 'a', new_string: 'b', replace_all: all }),
      ).toContain('replace_all: ');
    for (const input of ['a.txt', 7, true, ['a.txt'], null, undefined])
      expect(await refused('read_file', input)).toMatch(/^Invalid arguments: /);
    expect((await bench.call('read_file', { path: 'a.txt', colour: 1 })).data.path).toBe('a.txt');
  });

  it('refuses arguments named constructor or __proto__', async () => {
    bench = makeBench('full', ['a.txt']);
    for (const text of [
      '{"path":"a.txt","__proto__":{"offset":2}}',
      '{"path":"a.txt","constructor":1}',
      '{"path":"a.txt","toString":"x"}',
      '{"path":"a.txt","prototype":{}}',
    ]) {
      const { ok, data } = await bench.call('read_file', JSON.parse(text));
      // A copying parser may drop the key `__proto__` instead of refusing it; the key must have no effect.
      if (ok) expect(data.start_line, text).toBe(1);
      else expect(data.error, text).toContain('Unrecognized key');
    }
    expect(({} as Record<string, unknown>).offset).toBeUndefined();
  });

  it('extra arguments of full are unknown in files', async () => {
    bench = makeBench('files', ['a.txt']);
    for (const [name, input] of [
      ['write_file', { path: 'a.txt', content: 'x', expected_version: 'v' }],
      ['edit_file', { path: 'a.txt', old_string: 'a', new_string: 'b', dry_run: true }],
      ['edit_file', { path: 'a.txt', edits: [] }],
      ['glob_search', { pattern: '*', include_ignored: true }],
      ['grep_search', { pattern: 'x', include_ignored: true }],
    ] as const) {
      expect((await bench.call(name, input)).data.error, name).toContain('Unrecognized key');
    }
  });

  it('that fails internally gives the model no details and the operator all of them', async () => {
    bench = makeBench('files');
    const told: unknown[] = [];
    const bug = new TypeError(`cannot read ${bench.scratch.workspace}/x`);
    const throwing: (() => Promise<ToolResult>)[] = [async () => Promise.reject(bug), () => { throw bug; }]; // biome-ignore format: two ways
    for (const run of throwing) {
      const call = checkedCall({ tools: [toolThat(run)], onInternalError: (error, name) => told.push([error, name]) }, [
        bench.scratch.base,
      ]);
      expect((await call('probe', { path: 'p' })).data).toEqual({
        error: 'The tool failed unexpectedly. Nothing may have been changed; look before trying again.',
        path: 'p',
      });
    }
    expect(told).toEqual([[bug, 'probe'], [bug, 'probe']]); // biome-ignore format: a pair
  });
});

it('a call that does not wait has its result at once, and a failure has a code beside its error', async () => {
  const table: ToolTable = {
    tools: [
      toolThat(({ path }: { path?: string }) => {
        if (path === undefined) return done;
        throw path === 'bug' ? new TypeError('x') : new WorkspaceError('not_found', `File not found: ${path}`);
      }),
    ],
  };
  expect(callTool(table, { name: 'probe', input: {} })).toEqual(done);
  const codeOf = async (call: { name: string; input: unknown }) => {
    const { ok, code, data } = await callTool(table, call);
    expect([ok, typeof data.error]).toEqual([false, 'string']);
    return code;
  };
  expect(await codeOf({ name: 'probe', input: { path: 'none' } })).toBe('not_found');
  expect(await codeOf({ name: 'probe', input: { path: 'bug' } })).toBe('internal');
  expect(await codeOf({ name: 'probe', input: { path: 7 } })).toBe('invalid_arguments');
  expect(await codeOf({ name: 'other', input: {} })).toBe('unknown_tool');
});

describe('callTool never throws', () => {
  it('never throws, for any error of a tool, the log or the host', async () => {
    const things: unknown[] = [
      undefined,
      null,
      'text',
      7,
      {},
      new Error('x'),
      new WorkspaceError('io', 'x'),
      new ToolError('declined', 'x'),
      Object.create(null),
    ];
    for (const thing of things) {
      const fail = (): never => {
        throw thing;
      };
      const table: ToolTable = {
        tools: [toolThat(fail)],
        onInternalError: fail,
        activity: { begin: fail },
      };
      expect((await callTool(table, { name: 'probe', input: {} })).ok).toBe(false);
    }
  });

  describe('for arbitrary names and arguments over all toolsets', () => {
    const benches: Bench[] = [];
    beforeAll(() => {
      for (const toolset of TOOLSETS)
        benches.push(
          makeBench(toolset, ['a.txt = one\\ntwo', 'd/b.txt', 'leak => $OUT', '.env = S'], {
            workspace: { limits: { maxFileBytes: 100_000 } },
          }),
        );
    });
    afterAll(() => benches.forEach((bench) => bench.close()));

    const path = fc.oneof(
      fc.constantFrom(
        'a.txt',
        'd',
        'd/b.txt',
        '.',
        '',
        '..',
        '../outside/secret.txt',
        '/etc/passwd',
        'leak',
        'leak/secret.txt',
        '.env',
        '~',
        '~/x',
        '.lfsig',
        'CON',
        'a.txt/x',
        'a\0b',
        'new/deep/file',
      ),
      fc.string({ unit: 'binary', maxLength: 40 }),
    );
    const value = fc.oneof(
      { weight: 5, arbitrary: path },
      { weight: 2, arbitrary: fc.integer() },
      fc.boolean(),
      fc.constant(null),
      fc.double(),
      fc.jsonValue({ maxDepth: 2 }),
      fc.array(path, { maxLength: 3 }),
      fc.constantFrom('content', 'count', '*', '**/*', '(a+)+', '['),
    );
    const shaped = (tool: AnyTool) =>
      fc.record(Object.fromEntries(Object.keys((tool.input as z.ZodObject).shape).map((key) => [key, value])), {
        requiredKeys: [],
      });
    const own = fc.nat({ max: TOOLSETS.length - 1 }).chain((i) =>
      fc.nat({ max: 14 }).chain((k) => {
        const tools = benches[i]?.table.tools ?? [];
        const tool = tools[k % tools.length] as AnyTool;
        return fc.tuple(fc.constant(i), fc.constant(tool.name), fc.oneof(shaped(tool), fc.jsonValue({ maxDepth: 3 })));
      }),
    );
    const any = fc.tuple(
      fc.nat({ max: TOOLSETS.length - 1 }),
      fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('__proto__', 'constructor', 'read_file')),
      fc.jsonValue(),
    );

    it('returns a bounded result without host paths, and changes nothing outside', async () => {
      await fc.assert(
        fc.asyncProperty(fc.oneof({ weight: 6, arbitrary: own }, any), async ([i, name, input]) => {
          const bench = benches[i] as Bench;
          const { ok, data } = await bench.call(name, input);
          expect(typeof ok).toBe('boolean');
          expect(data.error).not.toBe(
            'The tool failed unexpectedly. Nothing may have been changed; look before trying again.',
          );
          expect(JSON.stringify(data)).not.toContain('SECRET');
        }),
        { numRuns: 3_000 },
      );
    });
  });
});

describe('cancellation and deadline', () => {
  it('a call that is cancelled before it starts does nothing', async () => {
    const bench = makeBench('files');
    const controller = new AbortController();
    controller.abort();
    expect(
      (await bench.call('write_file', { path: 'a.txt', content: 'x' }, { signal: controller.signal })).data,
    ).toEqual({ error: 'The call was cancelled', path: 'a.txt' });
    expect(bench.workspace.list('.').total).toBe(0);
    bench.close();
  });

  it('a call past its deadline gets a result, and its signal is aborted', async () => {
    let stopped = false;
    const slow = toolThat(async (_, { signal }) => {
      await new Promise((resolve) => signal?.addEventListener('abort', resolve));
      stopped = true;
      return done;
    });
    const result = await callTool({ tools: [slow], timeoutMs: 50 }, { name: 'probe', input: {} });
    expect(result.data.error).toBe('The call took longer than 0.05 s and was given up');
    await wait(0);
    expect(stopped).toBe(true);
  });

  it('a call that is cancelled while it runs gets a result at once, and later errors are ignored', async () => {
    const controller = new AbortController();
    const slow = toolThat(async () => {
      await wait(100);
      throw new Error('too late for anybody');
    });
    const running = callTool({ tools: [slow] }, { name: 'probe', input: {} }, { signal: controller.signal });
    controller.abort(new Error('a reason with /host/path'));
    expect((await running).data).toEqual({ error: 'The call was cancelled' });
    await wait(150);
  });

  it("leaves no listener on the caller's signal", async () => {
    const controller = new AbortController();
    let added = 0;
    const { signal } = controller;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = ((...args: Parameters<typeof add>) => (added++, add(...args))) as typeof add;
    signal.removeEventListener = ((...args: Parameters<typeof remove>) => (added--, remove(...args))) as typeof remove;
    for (let i = 0; i < 20; i++)
      await callTool({ tools: [toolThat(async () => done)] }, { name: 'probe', input: {} }, { signal });
    expect(added).toBe(0);
  });
});

it('the codes of a failed call are these', () => {
  const codes: Record<ToolErrorCode, true> = {
    unknown_tool: true,
    invalid_arguments: true,
    user_mismatch: true,
    declined: true,
    deadline: true,
    cancelled: true,
  };
  expect(Object.keys(codes)).toHaveLength(6);
});
