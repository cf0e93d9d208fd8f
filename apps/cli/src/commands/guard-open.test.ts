import { mkdirSync, readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { makeSurroundings, type Surroundings } from '@croft/mcp/testing';
import { Command } from 'commander';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { serveHere } from '../../../../tests/support/serve-here.ts';
import { keepServedGuard, readServedGuards } from '../compose/served-guards.ts';
import { UsageError } from '../usage-error.ts';
import { addGuardCommand } from './guard.ts';
import { runGuardOpen } from './guard-open.ts';
import { runGuardServe } from './guard-serve.ts';

const NONE = new UsageError('No guard answers. Start one with croft guard serve');

let surroundings: Surroundings;
beforeEach(() => {
  surroundings = makeSurroundings();
  mkdirSync(surroundings.base, { recursive: true });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  surroundings.remove();
});

/** Serves a guard in this process while `use` runs. */
const whileServing = (use: () => Promise<unknown>) =>
  serveHere(
    surroundings,
    () =>
      runGuardServe({
        upstream: ['http://127.0.0.1:9'],
        host: '127.0.0.1',
        port: 0,
        keyRoot: [],
        pass: [],
        allowedHost: [],
        root: surroundings.home,
      }),
    use,
  );

/** The output of the command. */
async function open(port?: number): Promise<string> {
  vi.stubEnv('CROFT_BASE_DIR', surroundings.base);
  let printed = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((part) => {
    printed += String(part);
    return true;
  });
  await runGuardOpen({ open: false, ...(port !== undefined && { port }) });
  return printed;
}

/** Answers `/healthz` with a text, at the address of a guard that was killed. Returns the port. */
async function leftBehind(health: string): Promise<number> {
  const server = createServer((_request, response) => response.end(health)).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await new Promise((done) => server.once('listening', done));
  const { port } = server.address() as { port: number };
  keepServedGuard(surroundings.base, { port, origin: `http://127.0.0.1:${port}`, secret: 'old' });
  return port;
}

describe('croft guard open', () => {
  it('makes addresses that open the page of the running guard once each', async () => {
    await whileServing(async () => {
      const urls = [await open(), await open()];
      for (const url of urls) {
        expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/guard\/open\?code=[\w.-]+\n$/);
        const statuses = [await fetch(url.trim()), await fetch(url.trim())].map(({ status }) => status);
        expect(statuses).toEqual([200, 403]);
      }
      expect(urls[0]).not.toBe(urls[1]);
    });
    expect(readdirSync(join(surroundings.base, 'guard')).filter((name) => name.startsWith('serve-'))).toEqual([]);
    await expect(open()).rejects.toThrow(NONE);
  });

  it('finds the guard that runs, beside killed ones whose port another program may have', async () => {
    await expect(open()).rejects.toThrow(NONE);
    for (const health of ['OK', '{"guard":1}', 'null']) await leftBehind(health);
    keepServedGuard(surroundings.base, { port: 9, origin: 'http://127.0.0.1:9', secret: 'gone' });
    await expect(open()).rejects.toThrow(NONE);
    await whileServing(async () => expect(await open()).toMatch('/guard/open?code='));
  });

  it('asks which one if several run', async () => {
    const other = await leftBehind('{"guard":"enforce"}');
    expect(await open()).toMatch(`http://127.0.0.1:${other}/guard/open?code=`);
    await whileServing(async () => {
      const served = readServedGuards(surroundings.base);
      const origins = served.map(({ origin }) => origin).join(', ');
      await expect(open()).rejects.toThrow(
        new UsageError(`2 guards run: pass --port with the port of one of ${origins}`),
      );
      for (const { port } of served) expect(await open(port)).toMatch(`http://127.0.0.1:${port}/guard/open?code=`);
      await expect(open(9)).rejects.toThrow('No guard answers on port 9. Start one with');
    });
  });

  it('is a command with the port and whether a browser opens', async () => {
    vi.stubEnv('CROFT_BASE_DIR', surroundings.base);
    const program = new Command('croft').exitOverride().configureOutput({ writeErr: () => {} });
    addGuardCommand(program);
    const run = (...args: string[]) => program.parseAsync(['guard', 'open', ...args], { from: 'user' });
    await expect(run('--no-open', '--port', '9')).rejects.toThrow('No guard answers on port 9. Start one with');
    await expect(run('--port', 'x')).rejects.toThrow('Give a number from 0 to 65535.');
  });
});
