import { afterEach, expect, it } from 'vitest';
import {
  type MemoryGatewayStore,
  memoryGatewayStore,
  openTestStream,
  postTo,
  serveTestHub,
  type TestHub,
  type TestStream,
} from './testing.ts';

// A machine with a bad network: its stream is cut, responses arrive twice or never, and the server restarts. Every call
// must end once, in time, with its own response or its reason.

/** Long enough for a busy machine; calls without a response take all of it. */
const TIMEOUT_MS = 5_000;
const INIT = {
  rootPath: '/p',
  tree: [],
  treeText: '',
  croft: { version: '1', protocol: 1, tools: ['read-file'] },
};

let served: TestHub;
afterEach(() => served.close());

/** A client like Croft's daemon: it knows the ids it has served, reopens its stream, and sends init again on 403. */
class BadlyConnectedClient {
  #stream: TestStream | undefined;
  #lastId: string | undefined;
  readonly #served = new Set<string>();
  accepted = 0;
  isStopped = false;
  #random = 1;
  #key: string;

  constructor(key: string) {
    this.#key = key;
  }

  /** The same sequence on every run. */
  #chance(of: number): boolean {
    this.#random = (this.#random * 48_271) % 2_147_483_647;
    return this.#random % of === 0;
  }

  async run(): Promise<void> {
    while (!this.isStopped) {
      try {
        const headers = this.#lastId === undefined ? {} : { 'last-event-id': this.#lastId };
        const stream = await openTestStream(`${served.base}/gateway/events`, { key: this.#key, headers });
        if (stream.status === 403) await postTo(`${served.base}/gateway/init`, { key: this.#key, body: INIT });
        if (stream.status !== 200) continue;
        this.#stream = stream;
        await this.#read(stream);
      } catch {
        // The server is down for a moment.
      }
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  stop(): void {
    this.isStopped = true;
    this.#stream?.cut();
  }

  async #read(stream: TestStream): Promise<void> {
    let isOver = false;
    const over = stream.ended.then(() => {
      isOver = true;
    });
    while (!isOver) {
      const event = await Promise.race([stream.next(), over]);
      if (!event) return;
      if (event.id !== undefined) this.#lastId = event.id;
      if (event.data.type === 'filesystem-request') this.#serve(event.data.payload);
      if (this.#chance(25)) stream.cut();
    }
  }

  #serve(payload: { requestId: string; toolCall: { arguments: { filePath: string } } }): void {
    const { requestId } = payload;
    if (this.#served.has(requestId)) return;
    this.#served.add(requestId);
    // One in forty is never answered, one in ten twice.
    if (this.#chance(40)) return;
    const { filePath } = payload.toolCall.arguments;
    const body = { data: { path: filePath, content: `content of ${filePath}`, truncated: false, totalLines: 1 } };
    for (let n = 0; n < (this.#chance(10) ? 2 : 1); n++) void this.#answer(requestId, body);
  }

  async #answer(requestId: string, body: object): Promise<void> {
    try {
      const { status } = await postTo(`${served.base}/gateway/response/${requestId}`, { key: this.#key, body });
      if (status === 200) this.accepted++;
    } catch {
      // The response is lost.
    }
  }
}

async function connectClient(store: MemoryGatewayStore): Promise<BadlyConnectedClient> {
  served = await serveTestHub({ store, callTimeoutMs: TIMEOUT_MS });
  const { token } = (await postTo(`${served.base}/gateway/create-link`, { user: 'ann' })).body;
  const { sessionKey } = (await postTo(`${served.base}/gateway/init`, { key: token, body: INIT })).body;
  const client = new BadlyConnectedClient(sessionKey);
  void client.run();
  while (!served.hub.status('ann').connected) await new Promise((resolve) => setTimeout(resolve, 5));
  return client;
}

async function callMany(count: number) {
  const hub = served.hub;
  return Promise.all(
    Array.from({ length: count }, async (_, n) => {
      await new Promise((resolve) => setTimeout(resolve, n * 2));
      const result = await hub.call('ann', { name: 'read-file', input: { filePath: `file-${n}` } });
      return { n, result };
    }),
  );
}

it('each of 200 calls ends with its own response or a timeout while the network is cut repeatedly', async () => {
  const client = await connectClient(memoryGatewayStore());
  const ended = await callMany(200);
  client.stop();
  for (const { n, result } of ended) {
    if (result.ok) expect(result.data.content).toBe(`content of file-${n}`);
    else expect(result.data.reason).toBe('timeout');
  }
  const answered = ended.filter(({ result }) => result.ok).length;
  expect(answered).toBeGreaterThan(150);
  // The last replies may still be on their way to the client. None comes twice.
  await expect.poll(() => client.accepted).toBe(answered);
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(client.accepted).toBe(answered);
});

it('a server that restarts under load ends what was under way, loses no session, and goes on', async () => {
  const store = memoryGatewayStore();
  const client = await connectClient(store);
  const port = Number(new URL(served.base).port);
  const before = callMany(150);
  await expect.poll(() => client.accepted).toBeGreaterThan(0);
  await served.close();
  const ended = await before;
  const reasons = new Set(ended.map(({ result }) => (result.ok ? 'answered' : result.data.reason)));
  expect(
    [...reasons].filter((reason) => !['answered', 'closing', 'not_connected', 'timeout'].includes(String(reason))),
  ).toEqual([]);
  expect(reasons).toContain('answered');
  served = await serveTestHub({ store, port, callTimeoutMs: TIMEOUT_MS });
  while (!served.hub.status('ann').connected) await new Promise((resolve) => setTimeout(resolve, 5));
  expect(store.sessions.size).toBe(1);
  const after = await callMany(50);
  client.stop();
  expect(after.filter(({ result }) => result.ok).length).toBeGreaterThan(40);
});
