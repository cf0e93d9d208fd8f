import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { FRAME_LIMITS } from '../frames.ts';
import { openTestStream, postTo, serveTestHub, type TestHub } from './testing.ts';
import { UploadBudget } from './upload-budget.ts';

const MB = 1024 * 1024;
const TREE = { rootPath: '/p', tree: [{ path: 'a', type: 'file' }], treeText: '' };
const LARGE = { ...TREE, treeText: 'x'.repeat(15 * MB) };

let late = 0;
const now = () => late;

describe('the budget of uploads', () => {
  it('lets the largest bodies through one after another for a while, and then asks to come back', () => {
    const budget = new UploadBudget(now);
    for (let n = 0; n < 2; n++) expect(budget.begin('ann').take(16 * MB - 1)).toBeUndefined();
    expect(() => budget.begin('ann')).toThrow('This machine sent too much in a short time. Try again in 1 s');
    // Users have separate budgets.
    expect(budget.begin('bob').take(16 * MB)).toBeUndefined();
    late += 1_000;
    expect(budget.begin('ann').take(16 * MB)).toBeUndefined();
    expect(() => budget.begin('ann')).toThrow('Try again in 32 s');
    late += 33_000;
    expect(budget.begin('ann').take(1)).toBeUndefined();
  });

  it('counts what comes in at once: many bodies that began together do not all end', () => {
    const budget = new UploadBudget(now);
    const meters = Array.from({ length: 20 }, () => budget.begin('ann'));
    const refused = meters.map((meter) => meter.take(16 * MB)).filter((refusal) => refusal !== undefined);
    expect(refused).toHaveLength(18);
    expect(refused[0]).toMatchObject({ code: 'too_often', status: 429 });
  });

  it('counts a minimum per upload, and forgets users with a full budget', () => {
    const budget = new UploadBudget(now);
    for (let n = 0; n < 128; n++) budget.begin('ann').take(10);
    expect(() => budget.begin('ann')).toThrow('Try again in 1 s');
    budget.sweep();
    expect(budget.size).toBe(1);
    late += 64_000;
    budget.sweep();
    expect(budget.size).toBe(0);
  });
});

describe('a machine that sends one large init after another', () => {
  let served: TestHub;
  afterEach(() => served.close());
  const pair = async (user: string) => {
    const { token } = (await postTo(`${served.base}/gateway/create-link`, { user })).body;
    return (await postTo(`${served.base}/gateway/init`, { key: token, body: TREE })).body.sessionKey as string;
  };

  it('is refused with a sentence and Retry-After; its trees too, but no other user', async () => {
    const now = Date.now();
    served = await serveTestHub({ now: () => now });
    const [ann, bob] = [await pair('ann'), await pair('bob')];
    const stream = await openTestStream(`${served.base}/gateway/events`, { key: ann });
    const init = (key: string) => postTo(`${served.base}/gateway/init`, { key, body: LARGE });
    const replies = [await init(ann), await init(ann), await init(ann), await init(ann)];
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
    const { body, headers } = replies[3] as (typeof replies)[number];
    const seconds = Number(headers['retry-after']);
    expect(seconds).toBeGreaterThan(10);
    expect(seconds).toBeLessThan(34);
    expect(body).toEqual({
      code: 'too_often',
      message: `This machine sent too much in a short time. Try again in ${seconds} s`,
    });
    expect((await postTo(`${served.base}/gateway/tree`, { key: ann, body: TREE })).status).toBe(429);
    expect((await init(bob)).status).toBe(200);
    // The connection stays; only the next upload must wait.
    expect(stream.seen).toEqual([]);
    expect(served.hub.status('ann').connected).toBe(true);
    expect((await postTo(`${served.base}/gateway/alive`, { key: ann })).status).toBe(200);
  });

  it('gets the refusal also if it still sends when the refusal is known, and its connection then ends', async () => {
    const now = Date.now();
    served = await serveTestHub({ now: () => now });
    const ann = await pair('ann');
    for (let n = 0; n < 3; n++) await postTo(`${served.base}/gateway/init`, { key: ann, body: LARGE });
    const { hostname, port } = new URL(served.base);
    const socket = connect(Number(port), hostname);
    let got = '';
    socket.on('data', (part: Buffer) => {
      got += part.toString();
    });
    const ended = once(socket, 'close');
    const half = 'x'.repeat(1024 * 1024);
    socket.write(
      `POST /instance-ai/gateway/init HTTP/1.1\r\nHost: test\r\nConnection: close\r\nX-Gateway-Key: ${ann}\r\nContent-Type: application/json\r\nContent-Length: ${2 * half.length}\r\n\r\n${half}`,
    );
    // A whole exchange later the refusal is known. Without the wait the server would have sent it and closed.
    for (let n = 0; n < 5; n++) await postTo(`${served.base}/gateway/alive`, { key: ann });
    expect(got).toBe('');
    socket.write(half);
    await ended;
    expect(got).toMatch(/^HTTP\/1\.1 429 [\s\S]*too_often/);
  });

  it('does not use up a pairing token by it', async () => {
    let turned = 0;
    served = await serveTestHub({ now: () => Date.now() + turned });
    const ann = await pair('ann');
    const { token } = (await postTo(`${served.base}/gateway/create-link`, { user: 'ann' })).body;
    for (let n = 0; n < 3; n++) await postTo(`${served.base}/gateway/init`, { key: ann, body: LARGE });
    expect((await postTo(`${served.base}/gateway/init`, { key: token, body: TREE })).status).toBe(429);
    turned = 40_000;
    expect((await postTo(`${served.base}/gateway/init`, { key: token, body: TREE })).status).toBe(200);
  });

  it('cannot send a large body to an endpoint with little content', async () => {
    served = await serveTestHub();
    const key = await pair('ann');
    const body = `[${'1,'.repeat(3_000)}1]`;
    for (const who of [
      { path: 'gateway/alive', key },
      { path: 'gateway/create-link', user: 'ann' },
      { path: 'filesystem/toggle', user: 'ann' },
      { path: 'gateway/disconnect-session', user: 'ann' },
      { path: 'gateway/disconnect', key },
    ]) {
      const { status, body: said } = await postTo(`${served.base}/${who.path}`, { ...who, body });
      expect([who.path, status, said.message]).toEqual([who.path, 413, 'Send no body larger than 4 KiB here']);
    }
    // None of them had an effect.
    const told = await postTo(`${served.base}/gateway/alive`, { key, body: {} });
    expect(told.status).toBe(200);
  });

  it('cannot make the parser work for seconds: a body of millions of values is refused while it comes in', async () => {
    served = await serveTestHub();
    const body = `{"rootPath":"/p","tools":[${'[],'.repeat(4_000_000)}[]]}`;
    expect(body.length).toBeLessThan(FRAME_LIMITS.maxBodyBytes);
    const reply = await postTo(`${served.base}/gateway/init`, { key: await pair('ann'), body });
    expect([reply.status, reply.body]).toEqual([
      413,
      {
        code: 'too_large',
        message: 'The body has more than 500000 values, or more than 1000 levels. Send less at once',
      },
    ]);
  });
});
