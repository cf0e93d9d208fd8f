import { request } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { FRAME_LIMITS, TIMES } from '../frames.ts';
import { DISCONNECTED, openTestStream, postTo, serveTestHub, type TestHub, type TestReply } from './testing.ts';

// The table of PROTOCOL.md, over real HTTP: the response of every endpoint to a key in every state.

const TREE = { rootPath: '/p', tree: [{ path: 'a.txt', type: 'file' }], treeText: 'p/\n  a.txt' };
const BODIES = {
  seed: TREE,
  later: { rootPath: '/p', tools: [{ name: 'read_file', inputSchema: { type: 'object' } }] },
  croft: { ...TREE, tools: [], croft: { version: '1', protocol: 1, tools: ['read-file'] } },
} as const;
type Dialect = keyof typeof BODIES;
const DIALECTS = Object.keys(BODIES) as Dialect[];
const CALL = { seed: 'read-file', croft: 'read-file', later: 'read_file' } as const;
const ANSWER = { data: { path: 'a', content: 'text', truncated: false, totalLines: 1 } };

const open: TestHub[] = [];
afterEach(async () => {
  for (const served of open.splice(0)) await served.close();
});

/** One hub, an adjustable clock, and the endpoints below one prefix. */
async function setUp(prefix: string, dialect: Dialect, idleMs = TIMES.idleMs) {
  let late = 0;
  const now = () => Date.now() + late;
  const options = { now, idleMs, staticKey: { key: 'the-static-key', userId: 'stan' } };
  let served = await serveTestHub(options);
  open.push(served);
  const at = (path: string) => served.base.replace('/instance-ai', `${prefix}/instance-ai`) + path;
  const post = (path: string, given: Parameters<typeof postTo>[1] = {}) => postTo(at(path), given);
  const bench = {
    hub: () => served.hub,
    at,
    post,
    turnClock: (ms: number) => {
      late += ms;
    },
    link: async (user = 'ann'): Promise<string> => (await post('/gateway/create-link', { user })).body.token,
    init: (key: string) => post('/gateway/init', { key, body: BODIES[dialect] }),
    pair: async (user = 'ann'): Promise<string> => (await bench.init(await bench.link(user))).body.sessionKey as string,
    async restart() {
      await served.close();
      served = await serveTestHub({ ...options, store: served.store });
      open.push(served);
    },
  };
  return bench;
}
type Bench = Awaited<ReturnType<typeof setUp>>;

const MISSING = [403, 'Missing API key'];
const INVALID = [403, 'Invalid API key'];
const NO_INIT = [403, 'Local gateway not initialized'];
const GONE = [404, 'Gateway request not found or already resolved'];
const OLD_TOKEN = [403, 'Pairing token expired. Create a new link and run the command it shows'];
const OLD_KEY = [403, 'Session expired. Create a new link and run the command it shows'];
const OK = [200, undefined];

/**
 * A key in some state, and the responses to it from init, events, response (with an unknown id), tree and disconnect.
 */
interface State {
  readonly state: string;
  readonly key: (bench: Bench) => Promise<string | undefined>;
  readonly answers: readonly unknown[][];
}

const all = (answer: unknown[]) => [answer, answer, answer, answer, answer];
const STATES: State[] = [
  { state: 'no key', key: async () => undefined, answers: all(MISSING) },
  { state: 'an empty key', key: async () => '', answers: all(MISSING) },
  { state: 'a made-up session key', key: async () => 'sess_made-up', answers: all(INVALID) },
  { state: 'a made-up token', key: async () => 'gw_made-up', answers: all(INVALID) },
  { state: 'a name of an object', key: async () => '__proto__', answers: all(INVALID) },
  { state: 'a key without end', key: async () => 'x'.repeat(FRAME_LIMITS.maxKeyChars + 1), answers: all(INVALID) },
  { state: 'a static key but for its last letter', key: async () => 'the-static-keY', answers: all(INVALID) },
  {
    state: 'a used token',
    async key(bench) {
      const token = await bench.link();
      await bench.init(token);
      return token;
    },
    answers: all(INVALID),
  },
  {
    state: 'a token replaced by a newer one',
    async key(bench) {
      const token = await bench.link();
      await bench.post('/gateway/create-link', { user: 'ann', body: { renew: true } });
      return token;
    },
    answers: all(INVALID),
  },
  {
    state: 'an expired token',
    async key(bench) {
      const token = await bench.link();
      bench.turnClock(TIMES.pairingMs + 1);
      return token;
    },
    answers: [OLD_TOKEN, INVALID, INVALID, INVALID, INVALID],
  },
  { state: 'a new token', key: (bench) => bench.link(), answers: [OK, INVALID, INVALID, INVALID, INVALID] },
  { state: 'a session key', key: (bench) => bench.pair(), answers: [OK, OK, GONE, OK, OK] },
  { state: 'the static key', key: async () => 'the-static-key', answers: [OK, OK, GONE, OK, OK] },
  {
    state: 'a session key whose client disconnected',
    async key(bench) {
      const key = await bench.pair();
      await bench.post('/gateway/disconnect', { key, body: {} });
      return key;
    },
    answers: all(INVALID),
  },
  {
    state: 'a session key whose user disconnected it',
    async key(bench) {
      const key = await bench.pair();
      await bench.post('/gateway/disconnect-session', { user: 'ann' });
      return key;
    },
    answers: all(INVALID),
  },
  {
    state: 'a session key replaced by pairing again',
    async key(bench) {
      const key = await bench.pair();
      await bench.pair();
      return key;
    },
    answers: all(INVALID),
  },
  {
    state: 'a session key not used for too long',
    async key(bench) {
      const key = await bench.pair();
      await bench.restart();
      bench.turnClock(TIMES.idleMs + 1);
      return key;
    },
    answers: all(OLD_KEY),
  },
];

async function askAll({ post, at, init }: Bench, key: string | undefined): Promise<unknown[][]> {
  const headers = key === undefined ? {} : { 'x-gateway-key': key };
  const brief = ({ status, body }: TestReply) => [status, body.message];
  const first = brief(key === undefined ? await post('/gateway/init', { body: TREE }) : await init(key));
  const stream = await openTestStream(at('/gateway/events'), { headers });
  if (stream.status !== 200) await stream.ended;
  const message = stream.status === 200 ? undefined : JSON.parse(stream.raw()).message;
  const tree = brief(await post('/gateway/tree', { headers, body: TREE }));
  expect(brief(await post('/gateway/alive', { headers, body: {} }))).toEqual(tree);
  return [
    first,
    [stream.status, message],
    brief(await post('/gateway/response/gw_nobody-asked', { headers, body: ANSWER })),
    tree,
    brief(await post('/gateway/disconnect', { headers, body: {} })),
  ];
}

describe.each(['', '/rest'])('below %j', (prefix) => {
  describe.each(DIALECTS)('in the dialect %s', (dialect) => {
    it.each(STATES)('answers $state as documented', async ({ key, answers }) => {
      const bench = await setUp(prefix, dialect);
      expect(await askAll(bench, await key(bench))).toEqual(answers);
    });

    it('answers init, response and status so that both dialects can read it', async () => {
      const bench = await setUp(prefix, dialect);
      const before = Date.now();
      const link = (await bench.post('/gateway/create-link', { user: 'ann' })).body;
      expect(link).toEqual({ ...link.data, data: link.data });
      expect(link).toMatchObject({
        token: expect.stringMatching(/^gw_[\w-]{32}$/),
        ttlSeconds: 300,
        url: 'http://test',
      });
      expect(link.command).toContain(link.token);
      expect(Date.parse(link.expiresAt) - before).toBeGreaterThan(299_000);
      const waiting = (await bench.post('/gateway/status', { method: 'GET', user: 'ann' })).body;
      expect(waiting.data).toEqual({ ...DISCONNECTED, expiresAt: link.expiresAt });
      const { body } = await bench.init(link.token);
      const { sessionKey } = body;
      expect(sessionKey).toMatch(/^sess_[\w-]{43}$/);
      const croft = dialect === 'croft' ? { croft: { protocol: 1 } } : {};
      expect(body).toEqual({ ok: true, sessionKey, ...croft, data: { ok: true, sessionKey, ...croft } });
      const stream = await openTestStream(bench.at('/gateway/events'), { key: sessionKey });
      const status = (await bench.post('/gateway/status', { method: 'GET', user: 'ann' })).body;
      expect(status.data).toMatchObject({ connected: true, directory: '/p', connectedAt: expect.stringMatching(/Z$/) });
      expect(status.expiresAt).toBeUndefined();
      const call = bench.hub().call('ann', { name: CALL[dialect], input: { filePath: 'a' } });
      const { requestId } = (await stream.next()).data.payload;
      const answered = await bench.post(`/gateway/response/${requestId}`, { key: sessionKey, body: ANSWER });
      expect(answered.body).toEqual({ ok: true, data: { ok: true } });
      expect((await call).ok).toBe(true);
    });

    it('takes a session key in the address for events, and nowhere else', async () => {
      const bench = await setUp(prefix, dialect);
      const key = await bench.pair();
      expect((await openTestStream(bench.at(`/gateway/events?apiKey=${key}`))).status).toBe(200);
      for (const path of ['init', 'tree', 'disconnect', 'response/gw_x'])
        expect((await bench.post(`/gateway/${path}?apiKey=${key}`, { body: BODIES[dialect] })).body.message).toBe(
          'Missing API key',
        );
    });

    it('knows a session after a restart, says that it needs init, and goes on after it', async () => {
      const bench = await setUp(prefix, dialect);
      const key = await bench.pair();
      await bench.restart();
      const [, ...rest] = await askAll({ ...bench, init: async () => ({ status: 0, body: {}, headers: {} }) }, key);
      expect(rest).toEqual([NO_INIT, GONE, NO_INIT, OK]);
      const other = await setUp(prefix, dialect);
      const again = await other.pair();
      await other.restart();
      expect(await askAll(other, again)).toEqual([OK, OK, GONE, OK, OK]);
    });

    it('lets one user’s key do nothing to another’s machine', async () => {
      const bench = await setUp(prefix, dialect);
      const [ann, bob] = [await bench.pair('ann'), await bench.pair('bob')];
      const stream = await openTestStream(bench.at('/gateway/events'), { key: ann });
      const bobs = await openTestStream(bench.at('/gateway/events'), { key: bob });
      const call = bench.hub().call('ann', { name: CALL[dialect], input: { filePath: 'a' } });
      const { requestId } = (await stream.next()).data.payload;
      const forged = await bench.post(`/gateway/response/${requestId}`, { key: bob, body: ANSWER });
      expect([forged.status, forged.body.message]).toEqual(GONE);
      await bench.post('/gateway/tree', { key: bob, body: { ...TREE, rootPath: '/bob' } });
      expect((await bench.post('/gateway/status', { method: 'GET', user: 'ann' })).body.directory).toBe('/p');
      await bench.post('/gateway/disconnect', { key: bob, body: {} });
      await bench.post('/gateway/disconnect-session', { user: 'bob' });
      await bench.post('/filesystem/toggle', { user: 'bob' });
      await bench.post(`/gateway/response/${requestId}`, { key: ann, body: ANSWER });
      expect((await call).ok).toBe(true);
      expect(bobs.seen).toEqual([
        { id: undefined, data: { type: 'gateway-disconnect', payload: { reason: 'disconnected' } } },
      ]);
    });
  });

  it('asks who it is on the page’s endpoints, and takes no machine’s key for it', async () => {
    const bench = await setUp(prefix, 'seed');
    const key = await bench.pair();
    const endpoints = [
      ['POST', '/gateway/create-link'],
      ['GET', '/gateway/status'],
      ['POST', '/gateway/disconnect-session'],
      ['POST', '/filesystem/toggle'],
    ] as const;
    for (const [method, path] of endpoints)
      for (const given of [{}, { key }, { key: 'the-static-key' }]) {
        const { status, body } = await bench.post(path, { method, ...given });
        expect([path, status, body]).toEqual([path, 401, { code: 'not_signed_in', message: 'Sign in first' }]);
      }
    expect((await bench.hub().loadStatus('ann')).enabled).toBe(true);
  });

  it('names the method of an endpoint, and leaves every other path to the server', async () => {
    const bench = await setUp(prefix, 'seed');
    const wrong = await bench.post('/gateway/status', { user: 'ann' });
    expect([wrong.status, wrong.headers.allow, wrong.body.message]).toEqual([405, 'GET', 'Use GET here']);
    for (const path of [
      '/gateway',
      '/gateway/',
      '/gateway/initx',
      '/gateway/response',
      '/gateway/credentials',
      '/x/..',
    ])
      expect((await bench.post(path, { body: {} })).body).toBe('');
  });

  it('reads a body in full before it uses a token up: what does not fit costs nothing', async () => {
    const bench = await setUp(prefix, 'seed');
    const token = await bench.link();
    const bad = ['', '{', '[]', '{}', '{"rootPath":"/p"}', '{"rootPath":"/p","tree":{}}', '{"rootPath":7,"tree":[]}'];
    for (const body of bad) {
      const { status, body: said } = await bench.post('/gateway/init', { key: token, body });
      expect([body, status, said.code]).toEqual([body, 400, 'bad_request']);
    }
    const form = await bench.post('/gateway/init', {
      key: token,
      body: JSON.stringify(TREE),
      headers: { 'content-type': 'text/plain' },
    });
    expect([form.status, form.body.code]).toEqual([415, 'bad_content_type']);
    expect((await bench.init(token)).status).toBe(200);
  });

  it('refuses a body above 16 MiB, said or not said in advance, with a sentence', async () => {
    const bench = await setUp(prefix, 'seed');
    const key = await bench.pair();
    const body = JSON.stringify({ ...TREE, treeText: 'x'.repeat(FRAME_LIMITS.maxBodyBytes) });
    const said = await bench.post('/gateway/init', { key, body });
    expect([said.status, said.body.code]).toEqual([413, 'too_large']);
    const chunked = await new Promise<number>((resolve, reject) => {
      const headers = { 'x-gateway-key': key, 'content-type': 'application/json', 'transfer-encoding': 'chunked' };
      const req = request(bench.at('/gateway/init'), { method: 'POST', headers, agent: false }, (res) => {
        res.resume();
        resolve(res.statusCode ?? 0);
      });
      req.on('error', reject);
      req.end(body);
    });
    expect(chunked).toBe(413);
    // Rejected bytes count too.
    bench.turnClock(60_000);
    const fits = { ...TREE, treeText: 'x'.repeat(FRAME_LIMITS.maxBodyBytes - 200) };
    expect((await bench.post('/gateway/init', { key, body: fits })).status).toBe(200);
  });
});

it('of many who use one token at once, lets one in', async () => {
  const bench = await setUp('', 'seed');
  const token = await bench.link();
  const replies = await Promise.all(Array.from({ length: 20 }, () => bench.init(token)));
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
});

it('lets no key come back that was revoked while its init was on the way', async () => {
  const bench = await setUp('', 'seed');
  const key = await bench.pair();
  const slow = new Promise<number>((resolve, reject) => {
    const headers = { 'x-gateway-key': key, 'content-type': 'application/json' };
    const req = request(bench.at('/gateway/init'), { method: 'POST', headers, agent: false }, (res) => {
      res.resume();
      resolve(res.statusCode ?? 0);
    });
    req.on('error', reject);
    const body = JSON.stringify(TREE);
    req.write(body.slice(0, 5));
    setTimeout(() => void bench.pair().then(() => req.end(body.slice(5))), 50);
  });
  expect(await slow).toBe(403);
});

it('keeps a session alive that is used, and writes it down', async () => {
  const bench = await setUp('', 'seed', 60_000);
  const key = await bench.pair();
  await openTestStream(bench.at('/gateway/events'), { key });
  for (let n = 0; n < 5; n++) {
    bench.turnClock(40_000);
    expect((await bench.init(key)).status).toBe(200);
  }
});
