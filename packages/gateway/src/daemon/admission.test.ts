import { beforeEach, describe, expect, it } from 'vitest';
import { Admission, type Credential, isItself, isPassing, refusalOf } from './admission.ts';
import type { GatewayClient, Reply } from './gateway-client.ts';

type Answer = Partial<Reply> | Error;

let keys: string[];
let sessions: (string | undefined)[];
let waits: [number, string, number | undefined][];
beforeEach(() => {
  keys = [];
  sessions = [];
  waits = [];
});

/** An admission to a server that gives these answers, the last one again and again. */
function admission(credential: Credential, answers: readonly Answer[]): Admission {
  const client = {
    key: '',
    init: async () => {
      const answer = answers[Math.min(keys.length, answers.length - 1)] as Answer;
      keys.push(client.key);
      if (answer instanceof Error) throw answer;
      return { status: 200, body: { ok: true }, isJson: true, message: 'said', retryAfterMs: undefined, ...answer };
    },
  };
  return new Admission({
    server: 'https://s',
    credential,
    client: client as unknown as GatewayClient,
    announce: async () => '{}',
    onSession: (key) => sessions.push(key),
    wait: async (...given) => void waits.push(given as (typeof waits)[number]),
    signal: new AbortController().signal,
  });
}
const TOKEN: Credential = { kind: 'token', token: 'gw_1' };
const unreachable = () => Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNREFUSED' } });
const unknown = () => Object.assign(new TypeError('fetch failed'), { cause: { code: 'ENOTFOUND' } });

describe('a daemon that is admitted', () => {
  it('gets a session key for its token, and uses it from then on', async () => {
    const entry = admission(TOKEN, [{ body: { ok: true, sessionKey: 'sess_1', croft: { protocol: 1 } } }, {}]);
    expect(entry.hasKey).toBe(false);
    expect(await entry.enter(false, false)).toBeUndefined();
    expect([sessions, entry.hasKey, entry.takesTrees]).toEqual([['sess_1'], true, true]);
    await entry.enter(false, true);
    expect(keys).toEqual(['gw_1', 'sess_1']);
    expect(entry.takesTrees).toBe(false);
  });

  it('never replaces the key of an operator', async () => {
    const entry = admission({ kind: 'static', key: 'op' }, [{ body: { ok: true, sessionKey: 'sess_1' } }]);
    await entry.enter(false, false);
    await entry.enter(false, false);
    expect([keys, sessions]).toEqual([['op', 'op'], []]);
  });

  it('tries its earlier session where the token was used up', async () => {
    const entry = admission({ ...TOKEN, kept: 'sess_0' }, [{ status: 403 }, {}]);
    expect(await entry.enter(true, false)).toBeUndefined();
    expect([keys, waits]).toEqual([['gw_1', 'sess_0'], []]);
  });

  it('waits as long as the server asks, and comes again', async () => {
    for (const status of [408, 425, 429, 500, 503]) expect(isPassing(status), `${status}`).toBe(true);
    for (const status of [400, 404, 409, 428, 499]) expect(isPassing(status), `${status}`).toBe(false);
    const entry = admission(TOKEN, [{ status: 429, retryAfterMs: 7_000 }, { status: 503 }, {}]);
    expect(await entry.enter(false, false)).toBeUndefined();
    expect(waits).toEqual([
      [0, 'said', 7_000],
      [1, 'said', undefined],
    ]);
  });

  it('takes a page in between for a passing failure only where the server was a gateway before', async () => {
    expect(await admission(TOKEN, [{ isJson: false, body: {} }, {}]).enter(false, true)).toBeUndefined();
    expect(await admission(TOKEN, [{ isJson: false, body: [] as never }]).enter(false, false)).toMatchObject({
      reason: 'refused',
      message: 'https://s has no gateway for croft connect',
    });
  });
});

describe('a daemon that is not admitted', () => {
  const end = async (credential: Credential, answers: readonly Answer[], tryOnce = false) =>
    (await admission(credential, answers).enter(tryOnce, false)) ?? { reason: 'none', message: '' };

  it('forgets a session that the server does not know, and says how to pair again', async () => {
    const { reason, message } = await end({ kind: 'session', key: 'sess_1' }, [{ status: 403 }]);
    expect([reason, sessions]).toEqual(['unpaired', [undefined]]);
    expect(message).toBe(
      'https://s no longer knows this connection (said). To pair again, open Connect a folder at https://s and run the command it shows',
    );
  });

  it('keeps its session where a proxy refuses in the name of the server, and comes again', async () => {
    for (const credential of [
      { kind: 'session', key: 'sess_1' },
      { ...TOKEN, kept: 'sess_1' },
    ] as const) {
      keys = [];
      const page = { status: 403, isJson: false, message: 'HTTP 403' };
      expect((await end(credential, [page, page, {}])).reason).toBe('none');
      expect([keys.at(-1), sessions, waits.at(-1)?.[1]]).toEqual(['sess_1', [], 'HTTP 403']);
    }
  });

  it.each<[Credential, string]>([
    [TOKEN, 'https://s does not take this token (said): a token works once, for five minutes.'],
    [{ kind: 'static', key: 'op' }, 'https://s does not take the key in CROFT_GATEWAY_API_KEY (said)'],
  ])('keeps no session with %j', async (credential, message) => {
    for (const status of [401, 403]) expect((await end(credential, [{ status }])).message).toContain(message);
    expect(sessions).toEqual([]);
  });

  it('ends where the server refuses for good', async () => {
    expect(await end(TOKEN, [{ status: 404 }])).toEqual({
      reason: 'refused',
      message: 'https://s has no gateway for croft connect: said',
    });
    expect((await end(TOKEN, [{ status: 400 }])).message).toBe('https://s refuses the connection: said');
  });

  it('gives an address up that may be mistyped: an unknown name at once, a silent one after six attempts', async () => {
    expect((await end(TOKEN, [unknown()])).message).toContain('Check the address, then run the command again');
    expect(keys).toHaveLength(1);
    keys = [];
    expect((await end(TOKEN, [unreachable()])).reason).toBe('unreachable');
    expect([keys.length, waits.length]).toEqual([6, 5]);
  });

  it('gives no address up that it knows from an earlier session', async () => {
    const answers = [...Array.from({ length: 9 }, unreachable), unknown(), {}];
    expect(await end({ ...TOKEN, kept: 'sess_0' }, answers)).toMatchObject({ reason: 'none' });
    expect(keys).toHaveLength(11);
  });

  it('tries once with `tryOnce`', async () => {
    expect(await end({ kind: 'session', key: 'sess_1' }, [{ status: 503 }], true)).toEqual({
      reason: 'unreachable',
      message: 'https://s cannot be used now: said',
    });
    expect(waits).toEqual([]);
  });
});

describe('the sentence of an end', () => {
  const reply = (status: number): Reply =>
    ({ status, body: {}, isJson: true, message: 'said', retryAfterMs: undefined }) as unknown as Reply;

  it('says how to pair again, for each credential', () => {
    const again = 'To pair again, open Connect a folder at https://s and run the command it shows';
    const ends = (['token', 'session', 'static'] as const).map((kind) =>
      admission({ kind, key: 'k', token: 't' } as Credential, []).turnedAway(reply(403)),
    );
    expect(ends).toEqual([
      {
        reason: 'unpaired',
        message: `https://s does not take this token (said): a token works once, for five minutes. ${again}`,
      },
      { reason: 'unpaired', message: `https://s no longer knows this connection (said). ${again}` },
      { reason: 'unpaired', message: 'https://s does not take the key in CROFT_GATEWAY_API_KEY (said)' },
    ]);
    expect(sessions).toEqual([undefined, undefined, undefined]);
  });

  it('says why a server cannot be reached or used', async () => {
    const end = (answers: readonly Answer[], isKnown = false) => admission(TOKEN, answers).enter(false, isKnown);
    const untrusted = () => Object.assign(new TypeError('fetch failed'), { cause: { code: 'CERT_HAS_EXPIRED' } });
    const last = 'Check the address, then run the command again';
    const unreached = await end([unreachable()]);
    expect(unreached).toEqual({
      reason: 'unreachable',
      message: `https://s cannot be reached: ${waits[0]?.[1]}. ${last}`,
    });
    const refused = await end([untrusted()]);
    expect([refused?.reason, refused?.message]).toEqual([
      'refused',
      expect.stringMatching(/^https:\/\/s cannot be used: ./),
    ]);
    [waits, keys] = [[], []];
    expect(await end([untrusted(), {}], true)).toBeUndefined();
    expect(waits).toHaveLength(1);
    expect([404, 405, 400].map((status) => refusalOf('https://s', reply(status)))).toEqual([
      'https://s has no gateway for croft connect: said',
      'https://s has no gateway for croft connect: said',
      'https://s refuses the connection: said',
    ]);
    expect([isItself(reply(200), true), isItself({ ...reply(200), isJson: false }, true)]).toEqual([true, false]);
    expect(isItself({ ...reply(200), isJson: false }, false)).toBe(true);
  });

  it('counts attempts without an answer from the last answer on', async () => {
    const answers = [unreachable(), unreachable(), { status: 503 }, ...Array.from({ length: 5 }, unreachable), {}];
    expect(await admission(TOKEN, answers).enter(false, false)).toBeUndefined();
    expect([keys.length, waits.map(([attempt]) => attempt)]).toEqual([9, [0, 1, 2, 3, 4, 5, 6, 7]]);
  });

  it('is missing where the daemon is stopped', async () => {
    const stopped = new AbortController();
    const client = { key: '', init: async () => reply(503) };
    const entry = new Admission({
      server: 'https://s',
      credential: TOKEN,
      client: client as unknown as GatewayClient,
      announce: async () => '{}',
      onSession: (key) => sessions.push(key),
      wait: async () => stopped.abort(),
      signal: stopped.signal,
    });
    expect(await entry.enter(false, false)).toBeUndefined();
    expect(await entry.enter(true, false)).toBeUndefined();
  });
});
