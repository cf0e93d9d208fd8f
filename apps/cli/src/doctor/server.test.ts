import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { testDir } from '../../../../tests/support/temp-dir.ts';
import { examineServer } from './server.ts';

let base: string;
beforeEach(() => {
  base = testDir();
});
const serves = (address: unknown, pid?: number) =>
  writeFileSync(join(base, 'serve.json'), JSON.stringify({ address, ...(pid !== undefined && { pid }) }));

/** A server with this answer, and the paths of requests. */
async function health(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('the server of a base directory', () => {
  it('is absent without an address, or where its process has ended', async () => {
    const none = { report: undefined, problems: [], notes: [] };
    expect(await examineServer(base)).toEqual(none);
    const { pid } = spawnSync(process.execPath, ['--version']);
    serves('http://127.0.0.1:1', pid);
    expect(await examineServer(base)).toEqual(none);
  });

  it('answers with its version', async () => {
    const paths: unknown[] = [];
    const address = await health((request, response) => {
      paths.push(request.url);
      response.end('{"status":"ok","version":"9.9.9"}');
    });
    serves(address, process.pid);
    expect(await examineServer(base)).toEqual({
      report: { address, pid: process.pid, answers: true, version: '9.9.9' },
      problems: [],
      notes: [],
    });
    serves(address);
    expect((await examineServer(base)).report).toEqual({ address, pid: null, answers: true, version: '9.9.9' });
    expect(paths).toEqual(['/healthz', '/healthz']);
  });

  it.each([['{"status":"starting","version":"9"}'], ['{"status":"ok","version":9}'], ['no JSON'], ['null']])(
    'does not answer with %s',
    async (text) => {
      const address = await health((_, response) => response.end(text));
      serves(address);
      expect(await examineServer(base)).toEqual({
        report: { address, pid: null, answers: false, version: null },
        problems: [
          {
            what: `The server of ${base} does not answer at ${address}`,
            advice: 'Look at its log, then stop it and start it again',
          },
        ],
        notes: [],
      });
    },
  );

  it('is named with its process where it does not answer', async () => {
    serves('http://127.0.0.1:1', process.pid);
    expect((await examineServer(base)).problems[0]?.what).toBe(
      `The server of ${base} (process ${process.pid}) does not answer at http://127.0.0.1:1`,
    );
  });

  it.skipIf(process.platform === 'win32' || process.getuid?.() === 0)('may run as another user', async () => {
    serves('http://127.0.0.1:1', 1);
    expect((await examineServer(base)).report?.pid).toBe(1);
  });
});
