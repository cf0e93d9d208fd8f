import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SERVER_EVENTS, type ServerEventName } from './contract/server-events.ts';
import { createEventStreams, type EventStreams } from './events.ts';

const STATUS = {
  connected: false,
  connectedAt: null,
  directory: null,
  hostIdentifier: null,
  toolCategories: [],
  enabled: true,
};

interface Received {
  readonly id: string | undefined;
  readonly event: string;
  readonly data: unknown;
}

let streams: EventStreams;
let url: string;
let close: () => Promise<void>;

beforeEach(async () => {
  streams = createEventStreams();
  const server = createServer((request, response) => {
    const lastEventId = request.headers['last-event-id'] as string | undefined;
    streams.open('ada', response, {
      lastEventId,
      first: [{ event: 'gateway', data: STATUS }],
      isValid: async () => true,
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  close = () => new Promise((resolve) => server.close(() => resolve()));
});
afterEach(async () => {
  streams.close();
  await close();
});

/** Opens a stream; gives its next events, each parsed by its definition. */
async function follow(lastEventId?: string) {
  const ending = new AbortController();
  const response = await fetch(url, {
    signal: ending.signal,
    headers: lastEventId === undefined ? {} : { 'last-event-id': lastEventId },
  });
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  let text = '';
  return {
    leave: () => ending.abort(),
    async next(): Promise<Received> {
      for (;;) {
        const end = text.indexOf('\n\n');
        if (end === -1) {
          const { value, done } = await reader.read();
          if (done) throw new Error('the stream has ended');
          text += new TextDecoder().decode(value);
          continue;
        }
        const frame = text.slice(0, end);
        text = text.slice(end + 2);
        const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(frame)?.[1];
        const event = field('event');
        if (event === undefined) continue;
        const data = SERVER_EVENTS[event as ServerEventName].parse(JSON.parse(field('data') ?? ''));
        return { id: field('id'), event, data };
      }
    },
  };
}

describe('a stream of events', () => {
  it('begins with the state, and sends later events with their ids', async () => {
    const page = await follow();
    expect(await page.next()).toMatchObject({ event: 'gateway', data: STATUS });
    streams.send('ada', { event: 'files', data: {} });
    streams.send('eve', { event: 'gateway', data: STATUS });
    streams.sendAll({ event: 'gateway', data: { ...STATUS, enabled: false } });
    expect(await page.next()).toMatchObject({ event: 'files', id: expect.stringMatching(/\.1$/) });
    expect(await page.next()).toMatchObject({ event: 'gateway', data: { enabled: false } });
    page.leave();
  });

  it('resumes with exactly the events that a page missed', async () => {
    const page = await follow();
    const { id } = await page.next();
    streams.send('ada', { event: 'files', data: {} });
    const seen = await page.next();
    page.leave();
    streams.send('ada', { event: 'gateway', data: { ...STATUS, enabled: false } });
    streams.send('ada', { event: 'files', data: {} });
    const again = await follow(seen.id);
    expect([await again.next(), await again.next()]).toMatchObject([
      { event: 'gateway', data: { enabled: false } },
      { event: 'files' },
    ]);
    again.leave();
    const fromState = await follow(id);
    expect((await fromState.next()).event).toBe('files');
    fromState.leave();
  });

  it('tells a page to load everything again when missed events are lost', async () => {
    for (const id of ['unknown.7', 'not an id']) {
      const page = await follow(id);
      expect([await page.next(), await page.next()]).toMatchObject([{ event: 'reset' }, { event: 'gateway' }]);
      page.leave();
    }
  });

  it('ends when the sessions of its user end', async () => {
    const page = await follow();
    await page.next();
    streams.endFor('ada');
    await expect(page.next()).rejects.toThrow('the stream has ended');
  });
});
