import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DISCONNECTED } from '@croft/gateway/hub/testing';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { TestResponse } from '../../../tests/support/test-response.ts';
import { SERVER_EVENTS, type ServerEventName } from './contract/server-events.ts';
import { createEventStreams, type EventStreams, type NewStream } from './events.ts';
import { Problem } from './problem.ts';

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
      first: [{ event: 'gateway', data: DISCONNECTED }],
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
    expect(await page.next()).toMatchObject({ event: 'gateway', data: DISCONNECTED });
    streams.send('ada', { event: 'files', data: {} });
    streams.send('eve', { event: 'gateway', data: DISCONNECTED });
    streams.sendAll({ event: 'gateway', data: { ...DISCONNECTED, enabled: false } });
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
    streams.send('ada', { event: 'gateway', data: { ...DISCONNECTED, enabled: false } });
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

describe('a stream of events in memory', () => {
  /** Streams with a clock that the test moves. */
  function openStreams() {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    let at = 0;
    const own = createEventStreams(() => at);
    const open = (userId = 'ada', more: Partial<NewStream> = {}) => {
      const client = new TestResponse();
      own.open(userId, client.response, { lastEventId: undefined, first: [], isValid: async () => true, ...more });
      return client;
    };
    const pass = (ms: number) => {
      at += ms;
      vi.advanceTimersByTime(ms);
    };
    return { own, open, pass };
  }
  const first = [{ event: 'flow_settled', data: { id: 'f', summary: 'done' } }] as const;
  const files = { event: 'files', data: {} } as const;
  const names = (client: TestResponse) => client.frames().map(({ event }) => event);

  it('has the headers of a stream, and tells a page how long to wait before it connects again', () => {
    const { own, open } = openStreams();
    const client = open('ada', { first });
    expect([client.status, client.headers]).toEqual([
      200,
      {
        'Content-Type': 'text/event-stream; charset=utf-8',
        'Cache-Control': 'no-store, no-transform',
        'X-Accel-Buffering': 'no',
      },
    ]);
    expect(client.text).toMatch(/^retry: 2000\n\n/);
    expect(client.frames()).toEqual([
      { id: expect.stringMatching(/\.0$/) as string, event: 'flow_settled', data: '{"id":"f","summary":"done"}' },
    ]);
    own.close();
  });

  it('sends a comment every 15 seconds, so that no proxy ends it', () => {
    const { own, open, pass } = openStreams();
    const client = open();
    const { text } = client;
    pass(14_999);
    expect(client.text).toBe(text);
    pass(1);
    expect(client.text).toBe(`${text}: \n\n`);
    own.close();
    expect([client.writableEnded, vi.getTimerCount()]).toEqual([true, 0]);
  });

  it('is refused to a user with 20 open pages', () => {
    const { own, open } = openStreams();
    const clients = Array.from({ length: 20 }, () => open());
    const refusal = new Problem(
      429,
      'too_many_streams',
      'Too many pages are open. Close some and load this one again.',
    );
    expect(() => open()).toThrow(refusal);
    expect(open('ben').status).toBe(200);
    clients[0]?.destroy();
    expect(open().status).toBe(200);
    own.close();
  });

  it('does not count a page that left before its stream began', () => {
    const { own, open } = openStreams();
    const stream: NewStream = { lastEventId: undefined, first: [], isValid: async () => true };
    for (let page = 0; page < 20; page++) own.open('ada', new TestResponse().destroy().response, stream);
    expect(open().status).toBe(200);
    own.close();
  });

  it('disconnects a page that does not read 1 MiB, and writes nothing to an ended one', () => {
    const { own, open } = openStreams();
    const [slow, ended] = [open(), open()];
    slow.writableLength = 1024 * 1024;
    own.endFor('ben');
    own.send('ada', files);
    expect([names(slow), names(ended), ended.writableEnded]).toEqual([['files'], ['files'], false]);
    ended.writableLength = slow.writableLength = 1024 * 1024 + 1;
    ended.end();
    own.send('ada', files);
    expect([names(slow), slow.closed, names(ended), ended.closed]).toEqual([['files'], true, ['files'], false]);
    own.close();
  });

  it('keeps events for five minutes after the last page was closed', () => {
    const { own, open, pass } = openStreams();
    const client = open();
    pass(600_000);
    own.send('ada', files);
    const { id: lastEventId } = client.frames()[0] as { id: string };
    own.send('ada', { event: 'flows', data: { id: 'f', version: 1 } });
    client.destroy();
    pass(280_000);
    own.sendAll({ event: 'flows', data: { id: 'f', version: 2 } });
    const again = open('ada', { lastEventId, first });
    expect(again.frames().map(({ data }) => data)).toEqual(['{"id":"f","version":1}', '{"id":"f","version":2}']);
    again.destroy();
    pass(300_000);
    expect(names(open('ada', { lastEventId, first }))).toEqual(['reset', 'flow_settled']);
    own.close();
  });

  it('keeps 256 events, and 256 KiB of them', () => {
    const { own, open } = openStreams();
    const client = open();
    const resume = (id: string | undefined) => names(open('ada', { lastEventId: id })).length;
    own.send('ada', files);
    const id = client.frames().at(-1)?.id;
    for (let at = 0; at < 256; at++) own.send('ada', files);
    expect(resume(id)).toBe(256);
    own.send('ada', files);
    expect(names(open('ada', { lastEventId: id }))).toEqual(['reset']);
    const overhead = JSON.stringify({ id: '', summary: '' }).length;
    const settle = (bytes: number) => {
      const last = client.frames().at(-1)?.id;
      own.send('ada', { event: 'flow_settled', data: { id: '', summary: 'x'.repeat(bytes - overhead) } });
      return names(open('ada', { lastEventId: last }));
    };
    expect([settle(256 * 1024), settle(256 * 1024 + 1)]).toEqual([['flow_settled'], ['reset']]);
    own.close();
  });

  it('tells one user or all of them that files changed', () => {
    const { own, open } = openStreams();
    const [ada, ben] = [open('ada'), open('ben')];
    own.sendFilesChanged('ada');
    own.sendFilesChanged('cleo');
    expect([ada.frames(), ben.frames()]).toEqual([[{ id: ada.frames()[0]?.id, event: 'files', data: '{}' }], []]);
    own.sendFilesChanged(undefined);
    expect([names(ada), names(ben)]).toEqual([['files', 'files'], ['files']]);
    own.close();
  });

  it('ends where its session has ended', async () => {
    const { own, open } = openStreams();
    const [valid, invalid] = [open(), open('ada', { isValid: async () => false })];
    await own.endInvalid();
    expect([valid.writableEnded, invalid.writableEnded]).toEqual([false, true]);
    own.endFor('ada');
    expect(valid.writableEnded).toBe(true);
    own.close();
  });
});
