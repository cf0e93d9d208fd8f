import type { ToolResult } from '@croft/tools';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { loginTool } from './login-tool.ts';

const server = 'https://croft.test';

function made(openBrowser: () => void = () => {}) {
  const opened: string[] = [];
  const keys: string[] = [];
  const tool = loginTool({
    server,
    accepts: async () => true,
    openBrowser(url) {
      openBrowser();
      opened.push(url);
    },
    onKey: async (key) => void keys.push(key),
  });
  const stop = new AbortController();
  const run = (signal = stop.signal) => tool.run({}, { signal } as never) as Promise<ToolResult>;
  return { tool, opened, keys, stop, run };
}
const give = (url: string) => fetch(url, { method: 'POST', body: new URLSearchParams({ key: 'k' }) });
const opens = (opened: readonly string[], count: number) => expect.poll(() => opened.length).toBe(count);

afterEach(() => void vi.useRealTimers());

describe('the tool login', () => {
  it('opens a page and ends when the user signed in there', async () => {
    const { run, opened, keys } = made();
    const result = run();
    await opens(opened, 1);
    await give(opened[0] as string);
    expect(await result).toEqual({
      ok: true,
      data: { status: 'authenticated', server_url: server },
      text: `Signed in to ${server}.`,
    });
    expect(keys).toEqual(['k']);
    const again = run();
    await opens(opened, 2);
    expect(opened[1]).not.toBe(opened[0]);
    await give(opened[1] as string);
    await again;
  });

  it('keeps the page while the user reads, and gives its address', async () => {
    const { run, opened, stop } = made();
    const first = run();
    await opens(opened, 1);
    stop.abort();
    const url = opened[0] as string;
    expect(await first).toEqual({
      ok: true,
      data: { status: 'waiting', server_url: server, url },
      text: `The user has not signed in yet. The page stays open for ten minutes: ${url}`,
    });
    const second = run(new AbortController().signal);
    await give(url);
    expect(await second).toMatchObject({ data: { status: 'authenticated' } });
    expect(opened).toEqual([url]);
  });

  it('waits 45 seconds', async () => {
    const { run, opened } = made();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    let ended = false;
    const result = run().finally(() => (ended = true));
    while (opened.length === 0) await new Promise(setImmediate);
    await vi.advanceTimersByTimeAsync(44_999);
    expect(ended).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await result).toMatchObject({ data: { status: 'waiting' } });
    await give(opened[0] as string);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('opens a page again after one that could not be opened', async () => {
    let fails = true;
    const { run, opened } = made(() => {
      if (fails) throw new Error('no browser');
    });
    await expect(run()).rejects.toThrow('no browser');
    fails = false;
    const result = run();
    await opens(opened, 1);
    await give(opened[0] as string);
    expect(await result).toMatchObject({ data: { status: 'authenticated' } });
  });

  it('is listed as a tool that reaches outside and asks for no password', () => {
    const { tool } = made();
    expect(tool).toMatchObject({
      name: 'login',
      title: 'Sign in',
      tags: ['login'],
      structured: true,
      annotations: { openWorldHint: true, readOnlyHint: false },
    });
    expect(tool.description).toBe(
      `Opens a page in the user's browser, on which the user signs in to ${server}. Never ask the user for a password or a key.`,
    );
    expect(tool.input.safeParse({ a: 1 }).success).toBe(false);
    expect(tool.output && z.toJSONSchema(tool.output)).toMatchObject({
      properties: { status: { type: 'string' }, server_url: { type: 'string' }, url: { type: 'string' } },
      required: ['status', 'server_url'],
    });
  });
});
