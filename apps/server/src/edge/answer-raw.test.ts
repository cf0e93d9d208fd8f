import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { GuardInside } from '../guard-inside.ts';
import type { Identified } from '../identify.ts';
import type { Log } from '../log.ts';
import { Problem } from '../problem.ts';
import { answerRaw, type RawRouteOptions } from './answer-raw.ts';

let asked: string[];
beforeEach(() => {
  asked = [];
});

const GUARD = {
  proxy: () => asked.push('proxy'),
  decisions: () => asked.push('decisions'),
} as unknown as GuardInside;
const LOG = { error: () => {}, warn: () => {}, info: () => {} } as unknown as Log;

/** The answer to a request: its status, or whatever took it. */
async function answer(url: string, more: Partial<RawRouteOptions> = {}, headers: Record<string, string> = {}) {
  let status: number | undefined;
  const response = Object.assign(new EventEmitter(), {
    headersSent: false,
    setHeader: () => response,
    writeHead: (code: number) => {
      status = code;
      return response;
    },
    end: () => {},
    destroy: () => response.emit('close'),
  });
  const taken = answerRaw({ url, headers } as unknown as IncomingMessage, response as unknown as ServerResponse, {
    guard: GUARD,
    hub: {
      handle: () => {
        asked.push('hub');
        return true;
      },
    },
    identify: async () => undefined,
    isReady: () => true,
    log: LOG,
    ownerOfKey: async () => undefined,
    storage: async () => undefined,
    ...more,
  });
  if (taken) await vi.waitFor(() => expect(asked.length > 0 || status !== undefined).toBe(true));
  return taken ? (status ?? asked.join()) : 'not raw';
}
const as = (role: string) => async () => ({ caller: { userId: 'ada', role } }) as unknown as Identified;

describe('a raw request', () => {
  it('is one of the gateway or the guard', async () => {
    for (const url of ['/', '/api/v1/files', '/guarded', '/instance-ai', '/x/instance-ai/y'])
      expect(await answer(url), url).toBe('not raw');
    expect(await answer('/guard', { guard: undefined })).toBe('not raw');
    expect(await answer('/instance-ai/gateway/init')).toBe('hub');
    asked = [];
    expect(await answer('/rest/instance-ai/gateway/init')).toBe('hub');
  });

  it('of the gateway waits for the database, and says so where it does not come', async () => {
    expect(await answer('/instance-ai/x', { isReady: () => false })).toBe('hub');
    asked = [];
    const storage = () => Promise.reject(new Problem(503, 'starting', 'Wait'));
    expect(await answer('/instance-ai/x', { isReady: () => false, storage })).toBe(503);
    const hub = { handle: () => false };
    expect(await answer('/instance-ai/x', { isReady: () => false, hub })).toBe(404);
  });
});

describe('the guard', () => {
  it('shows its page to an admin', async () => {
    expect(await answer('/guard')).toBe(401);
    expect(await answer('/guard/decisions', { identify: as('user') })).toBe(403);
    expect(await answer('/guard?x', { identify: as('admin') })).toBe('decisions');
  });

  it('forwards only requests with an API key in its own header, also of a signed-in admin', async () => {
    const ownerOfKey = async (key: string) => (key === 'croft_1' ? ((await as('user')())?.caller as never) : undefined);
    expect(await answer('/guard/proxy/v1/messages', { ownerOfKey, identify: as('admin') })).toBe(401);
    expect(await answer('/guard/proxy/v1', { ownerOfKey }, { 'x-croft-key': 'croft_2' })).toBe(401);
    expect(await answer('/guard/proxy/v1', { ownerOfKey }, { authorization: 'Bearer croft_1' })).toBe(401);
    expect(await answer('/guard/proxy?x', { ownerOfKey }, { 'x-croft-key': 'croft_1' })).toBe('proxy');
  });

  it('ends the reply of a model once the key of its request was revoked', async () => {
    let looks = 0;
    const ownerOfKey = async () => (looks++ < 3 ? ({ userId: 'ada' } as never) : undefined);
    const ended = new Promise<void>((resolve) => {
      const guard = { ...GUARD, proxy: (_: unknown, response: ServerResponse) => void response.once('close', resolve) };
      void answer('/guard/proxy/v1', { guard, ownerOfKey, lookMs: 1 }, { 'x-croft-key': 'croft_1' }).catch(() => {});
      asked.push('');
    });
    await ended;
    expect(looks).toBe(4);
  });
});

it.each([
  ['/instance-ai/gateway/create-link', 'session', 'ada'],
  ['/instance-ai/gateway/create-link', 'key', 'forbidden'],
  ['/rest/instance-ai/gateway/create-link?x', 'key', 'forbidden'],
  ['/instance-ai/filesystem/toggle', 'key', 'forbidden'],
  ['/instance-ai/gateway/status', 'key', 'ada'],
  ['/instance-ai/gateway/disconnect-session', 'key', 'ada'],
])('%s takes a caller with a %s as: %s', async (url, via, expected) => {
  const identify = async () => ({ caller: { userId: 'ada', role: 'user', via } }) as Identified;
  const found = new Promise((resolve) => {
    const handle: RawRouteOptions['hub']['handle'] = (request, _, who) => {
      asked.push('hub');
      Promise.resolve(who(request)).then(resolve, ({ code }: Problem) => resolve(code));
      return true;
    };
    void answer(url, { identify, hub: { handle } });
  });
  expect(await found).toBe(expected);
});

describe('a response to a raw request that fails', () => {
  const failing = async (
    headersSent: boolean,
    storage: () => Promise<unknown> = () => Promise.reject(new Error('x')),
  ) => {
    const did: string[] = [];
    const response = {
      headersSent,
      setHeader: () => response,
      writeHead: (code: number) => (did.push(`status ${code}`), response),
      end: () => void did.push('end'),
      destroy: () => void did.push('destroy'),
    };
    const request = { url: '/instance-ai/x', headers: {} } as unknown as IncomingMessage;
    const hub = { handle: () => false };
    answerRaw(
      request,
      response as unknown as ServerResponse,
      { hub, isReady: () => false, log: LOG, storage } as never,
    );
    await vi.waitFor(() => expect(did).not.toEqual([]));
    return did;
  };

  it('is an error, or ends where it has begun already', async () => {
    expect(await failing(false)).toEqual(['status 500', 'end']);
    expect(await failing(true)).toEqual(['destroy']);
    expect(await failing(false, async () => undefined)).toEqual(['status 404', 'end']);
  });

  it('is left to others where the hub does not know the path', async () => {
    expect(await answer('/instance-ai/x', { hub: { handle: () => false } })).toBe('not raw');
  });

  it('says why the hub may not ask for the caller', async () => {
    const who = (identify: RawRouteOptions['identify']) =>
      new Promise<unknown>((resolve) => {
        const handle: RawRouteOptions['hub']['handle'] = (request, _, ask) => {
          asked.push('hub');
          Promise.resolve(ask(request)).then(resolve, resolve);
          return true;
        };
        void answer('/instance-ai/gateway/status', { identify, hub: { handle } });
      });
    expect(await who(async () => undefined)).toBeUndefined();
    const own = new Problem(401, 'not_signed_in', 'Sign in');
    expect(await who(() => Promise.reject(own))).toBe(own);
    const other = new Error('broken');
    expect(await who(() => Promise.reject(other))).toBe(other);
  });
});
