import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { captureOutput } from '../../../../tests/support/capture-output.ts';
import { testDir } from '../../../../tests/support/temp-dir.ts';
import { runOpen } from './run-open.ts';

let base: string;
let asked: [unknown, RequestInit | undefined][];
let answer: () => Promise<Response>;
let output: { out: string; err: string };

beforeEach(() => {
  base = testDir();
  asked = [];
  output = captureOutput();
  vi.stubEnv('CROFT_BASE_DIR', base);
  answer = async () => Response.json({ url: 'http://s/once/abc' });
  vi.spyOn(globalThis, 'fetch').mockImplementation((url, init) => {
    asked.push([url, init]);
    return answer();
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});
const keep = (name: string, text: string) => {
  mkdirSync(base, { recursive: true });
  writeFileSync(join(base, name), text);
};
const open = () => runOpen({ open: false });

describe('croft open', () => {
  it('prints a new address of the running server', async () => {
    keep('serve.json', '{"address":"http://s","pid":1}');
    keep('mcp-token', ' token\n');
    const limit = vi.spyOn(AbortSignal, 'timeout');
    await open();
    expect(output).toEqual({ out: 'http://s/once/abc\n', err: '' });
    expect(asked).toEqual([
      [
        'http://s/api/v1/one-time-url',
        expect.objectContaining({ method: 'POST', headers: { authorization: 'Bearer token' } }),
      ],
    ]);
    expect(limit.mock.calls).toEqual([[15_000]]);
  });

  it('asks at the configured address where no server wrote its own', async () => {
    keep('mcp-token', 'token');
    await open().catch(() => undefined);
    vi.stubEnv('CROFT_HOST', '::1');
    await open().catch(() => undefined);
    expect(asked.map(([url]) => url)).toEqual([
      expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/api/),
      expect.stringMatching(/^http:\/\/\[::1\]:\d+\/api/),
    ]);
  });

  it('needs a token of this machine', async () => {
    keep('serve.json', '{"address":"http://s","pid":1}');
    await expect(open()).rejects.toThrow(
      new RegExp(`^There is no token in ${base}: no server without sign-in was started here\\. Run .+ serve$`),
    );
    expect(asked).toEqual([]);
  });

  it('says why it gets no address', async () => {
    keep('serve.json', '{"address":"http://s","pid":1}');
    keep('mcp-token', 'token');
    const message = () => open().catch((error: unknown) => (error as Error).message);
    answer = async () => new Response('', { status: 404 });
    expect(await message()).toBe('The server at http://s has accounts: sign in with a name and a password');
    answer = async () => new Response('', { status: 401 });
    expect(await message()).toBe(
      'The server at http://s refused (401): it may be that of another user or base directory',
    );
    answer = () => Promise.reject(new Error('refused'));
    expect(await message()).toMatch(/^No server answers at http:\/\/s\. Start it with .+ serve$/);
    expect(output.out).toBe('');
  });
});
