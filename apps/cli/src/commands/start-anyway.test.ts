import type { DaemonEvent } from '@croft/gateway/daemon';
import { expect, it } from 'vitest';
import { startAnyway } from './start-anyway.ts';

/** Starts daemons on a machine where every listener's port is taken. */
async function startTaken(flags: { listen: boolean; port?: number }, knowsServer: boolean) {
  const ports: (number | undefined)[] = [];
  const events: DaemonEvent[] = [];
  const start = async (port: number | undefined): Promise<string> => {
    ports.push(port);
    if (port !== undefined) throw Object.assign(new Error('listen'), { code: 'EADDRINUSE' });
    return 'started';
  };
  const lines = { show: (event: DaemonEvent) => void events.push(event) };
  const started = await startAnyway(start, { flags, knowsServer, lines }).catch((error: Error) => error.message);
  return { started, ports, events };
}

it('starts the command of a page without a listener, if another daemon has the port', async () => {
  expect(await startTaken({ listen: true }, true)).toEqual({
    started: 'started',
    ports: [7655, undefined],
    events: [{ type: 'warning', message: expect.stringContaining('port 7655 is taken') }],
  });
});

it('refuses to wait where no page can find it, and names the command that works', async () => {
  const { started, ports } = await startTaken({ listen: true }, false);
  expect(ports).toEqual([7655]);
  expect(started).toBe(
    'Port 7655 is taken, perhaps by another croft connect. Stop that one, or run the command that the page shows, with its address and token',
  );
});

it('refuses a taken port that the command names', async () => {
  expect((await startTaken({ listen: true, port: 8000 }, true)).started).toBe(
    'Port 8000 is taken, perhaps by another croft connect. Stop that one, or pass --port 0 for any free port',
  );
});

it('asks for no port with --no-listen', async () => {
  expect(await startTaken({ listen: false }, true)).toEqual({ started: 'started', ports: [undefined], events: [] });
});
