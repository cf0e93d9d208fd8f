import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { postTo, serveTestHub, type TestHub } from '@croft/gateway/hub/testing';
import { makeSurroundings, openWire, type Surroundings, type Wire } from '@croft/mcp/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

// Runs the built program against a hub and kills one of them during calls.

const CALL_TIMEOUT_MS = 3_000;

let surroundings: Surroundings;
let hub: TestHub;
let wires: Wire[];

beforeEach(async () => {
  surroundings = makeSurroundings();
  hub = await serveTestHub({ callTimeoutMs: CALL_TIMEOUT_MS });
  wires = [];
  writeFileSync(join(surroundings.workspace, 'a.txt'), 'hello');
});

afterEach(async () => {
  await Promise.all(wires.map((wire) => wire.kill()));
  await hub.close();
  surroundings.remove();
});

function start(token: string): Wire {
  const server = hub.base.replace('/instance-ai', '');
  const { env, workspace } = surroundings;
  const wire = openWire(['connect', '--json', '--no-listen', server, token], { env, cwd: workspace });
  wires.push(wire);
  return wire;
}

const isConnected = () => hub.hub.status('ann').connected;
const read = () => hub.hub.call('ann', { name: 'read-file', input: { filePath: 'a.txt' } });

const until = (condition: () => boolean) => vi.waitFor(() => expect(condition()).toBe(true), { interval: 10 });

/** Sends calls without a pause until `stop`; counts answered and failed calls. */
function load() {
  const tally = { answered: 0, failed: 0 };
  let isOn = true;
  const workers = Array.from({ length: 8 }, async () => {
    while (isOn) {
      const result = await read();
      if (result.ok && result.data.content === 'hello') tally.answered++;
      else {
        tally.failed++;
        expect(result.data.error).toEqual(expect.any(String));
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
  });
  return {
    tally,
    async stop() {
      isOn = false;
      await Promise.all(workers);
      return tally;
    },
  };
}

describe('under load', () => {
  it('a killed daemon leaves no call without an end, and the same command goes on with its session', async () => {
    const token = (await postTo(`${hub.base}/gateway/create-link`, { user: 'ann' })).body.token as string;
    const first = start(token);
    await until(isConnected);
    const { tally, stop } = load();
    await until(() => tally.answered > 50);
    first.child.kill('SIGKILL');
    await first.ended;
    const before = tally.answered;
    start(token);
    await until(() => tally.answered > before + 50);
    // Every call ends: with content, or with an error after the timeout.
    await stop();
    expect(hub.store.sessions.size).toBe(1);
  });

  it('a hub that is killed and started again has its daemon back, without a new token', async () => {
    const token = (await postTo(`${hub.base}/gateway/create-link`, { user: 'ann' })).body.token as string;
    const wire = start(token);
    await until(isConnected);
    const port = Number(new URL(hub.base).port);
    for (let i = 0; i < 2; i++) {
      const { tally, stop } = load();
      await until(() => tally.answered > 20);
      await Promise.all([stop(), hub.close()]);
      hub = await serveTestHub({ store: hub.store, port, callTimeoutMs: CALL_TIMEOUT_MS });
      await until(isConnected);
      expect((await read()).data.content).toBe('hello');
    }
    expect(wire.stdout()).not.toContain('"ended"');
  });
});
