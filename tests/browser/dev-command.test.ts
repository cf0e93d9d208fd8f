import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
let scratch: string;
let child: ChildProcess;

afterEach(async () => {
  if (child.exitCode === null) {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  rmSync(scratch, { recursive: true, force: true });
});

describe('npm run dev', () => {
  it('serves the sources in front of a real server with sample files, and deletes them at its end', async () => {
    scratch = mkdtempSync(join(tmpdir(), 'croft-dev-test-'));
    const args = ['--import', 'tsx', '--conditions=source', 'apps/studio/dev/start.ts', '--port', '0'];
    const env = { ...process.env, TMPDIR: scratch, NODE_ENV: 'development' };
    child = spawn(process.execPath, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'inherit'] });
    let printed = '';
    for await (const chunk of child.stdout ?? []) {
      printed += String(chunk);
      if (printed.includes('\n')) break;
    }
    const [link = ''] = /http:\S+/.exec(printed) ?? [];
    const { origin } = new URL(link);
    const opened = await fetch(link, { redirect: 'manual' });
    const cookie = opened.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const listing = await fetch(`${origin}/api/v1/files`, { headers: { cookie, 'sec-fetch-site': 'same-origin' } });
    expect(await listing.text()).toContain('README.md');
    const change = await fetch(`${origin}/api/v1/files/mkdir`, {
      method: 'POST',
      headers: { cookie, origin, 'sec-fetch-site': 'same-origin', 'x-croft': '1', 'content-type': 'application/json' },
      body: '{"path":"made"}',
    });
    expect(change.status).toBe(200);
    expect(await (await fetch(`${origin}/files`)).text()).toContain('/@vite/client');
    expect(await (await fetch(`${origin}/src/app.tsx`)).text()).toContain('import.meta.hot');
    child.kill('SIGTERM');
    await once(child, 'exit');
    expect(child.exitCode).toBe(0);
    expect(existsSync(scratch) && readdirSync(scratch).filter((name) => name.startsWith('croft-dev-'))).toEqual([]);
  });
});
