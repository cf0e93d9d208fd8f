import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AnyTool, fixedWorkspace, makeToolset, READS, type ToolResult } from '@croft/tools';
import { beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { routeCaller } from '../../../../tests/support/route-caller.ts';
import { useWorkspace } from '../../../../tests/support/use-workspace.ts';
import { makeToolRoutes, type ToolRouteOptions } from './tool-routes.ts';

const used = useWorkspace();
let status: { connected: boolean; enabled: boolean };
let asked: unknown[][];
let machine: AnyTool[];
beforeEach(() => {
  status = { connected: false, enabled: true };
  asked = [];
  machine = [];
  writeFileSync(join(used.dir, 'a.txt'), 'hello');
});

const call = (target: string, json: object = {}) =>
  routeCaller(
    makeToolRoutes({
      hub: { status: () => status, loadStatus: async () => status, toolsFor: () => machine },
      localAccess: { toolsFor: () => [] },
      log: { error: () => undefined, warn: () => undefined },
      settings: { autoLogin: true },
      toolsets: {
        tableOf(actor: object, toolset: 'full' | 'files') {
          asked.push([actor, toolset]);
          return { tools: makeToolset(toolset, fixedWorkspace(used.workspace)) };
        },
      },
    } as unknown as ToolRouteOptions),
  )(`POST /api/v1/${target}`, { json });

describe('a tool on the files of the caller', () => {
  it('is called with the arguments of the body', async () => {
    const { status: code, body } = await call('tools/files/read_file', { path: 'a.txt' });
    expect([code, body.ok]).toEqual([200, true]);
    expect(JSON.stringify(body.data) + String(body.text)).toContain('hello');
    expect(asked).toEqual([[expect.objectContaining({ userId: 'ann' }), 'files']]);
  });

  it('refuses the name of an old root that is not this tree', async () => {
    expect((await call('tools/files/read_file?root=shared', { path: 'a.txt' })).status).toBe(200);
    expect(await call('tools/files/read_file?root=mine', { path: 'a.txt' })).toMatchObject({
      status: 400,
      body: { error: { code: 'invalid', message: expect.stringContaining('Leave root out') as string } },
    });
  });

  it('gives a failed call as a result', async () => {
    expect(await call('tools/full/read_file', { path: 'none.txt' })).toMatchObject({
      status: 200,
      body: { ok: false, data: { error: expect.any(String) as string } },
    });
  });

  it('names the toolsets and tools that there are', async () => {
    expect((await call('tools/none/read_file')).body.error).toEqual({
      code: 'not_found',
      message: 'There is no such toolset. There are full, files, explore, basic.',
    });
    const { body } = await call('tools/files/none');
    expect(body.error.code).toBe('not_found');
    expect(body.error.message).toMatch(/^There is no such tool\. There are read_file, .+\.$/);
  });
});

describe('a tool on the machine of the caller', () => {
  it('needs a connected machine that is switched on', async () => {
    const message = async (connected: boolean, enabled: boolean) => {
      status = { connected, enabled };
      const { body } = await call('gateway/tools/read_file');
      return `${body.error.code}: ${body.error.message}`;
    };
    expect(await message(false, true)).toBe('not_connected: No machine is connected. Connect one with croft connect.');
    expect(await message(false, false)).toBe(
      'not_connected: Files of machines are switched off for agents. Switch them on under Connect, or with POST /instance-ai/filesystem/toggle.',
    );
    expect(await message(true, true)).toBe(
      'not_connected: The connected machine offers no tools. Update the program on it, or connect the folder with croft connect.',
    );
  });

  const answers = (result: ToolResult) => {
    status = { connected: true, enabled: true };
    const run = (input: object, { caller, signal }: { caller?: string; signal?: AbortSignal }) => {
      asked.push([input, caller, signal?.aborted]);
      return result;
    };
    const about = { title: 'T', description: 'd', tags: [], annotations: READS, input: z.looseObject({}) };
    machine = [{ name: 'look', ...about, run } as unknown as AnyTool];
    return call('gateway/tools/look', { a: 1 });
  };

  it('is called there, and its result is passed on', async () => {
    const media = [{ type: 'image', data: 'AA==', mimeType: 'image/png' }] as const;
    expect((await answers({ ok: true, data: { n: 1 }, text: 'seen', media } as ToolResult)).body).toEqual({
      ok: true,
      data: { n: 1 },
      text: 'seen',
      media,
    });
    expect(asked).toEqual([[{ a: 1 }, 'rest ann', false]]);
    expect((await answers({ ok: true, data: {}, media: [] } as ToolResult)).body).toEqual({ ok: true, data: {} });
    expect((await call('gateway/tools/none')).body.error.message).toBe('There is no such tool. There are look.');
  });

  it('has no result where the machine is busy or gone', async () => {
    const ended = async (reason: string, ok = false) => {
      const { status: code, headers, body } = await answers({ ok, data: { error: 'Later.', reason } } as ToolResult);
      return [code, body.error ?? body.ok, headers.get('retry-after')];
    };
    expect(await ended('busy')).toEqual([expect.any(Number), { code: 'busy', message: 'Later.' }, '1']);
    expect(await ended('not_connected')).toEqual([
      expect.any(Number),
      { code: 'not_connected', message: 'Later.' },
      null,
    ]);
    expect(await ended('other')).toEqual([200, false, null]);
    expect(await ended('busy', true)).toEqual([200, true, null]);
  });
});
