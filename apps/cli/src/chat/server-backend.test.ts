import type { AssistantEvent } from '@croft/assistant';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ChatBackend, Proposal } from './chat-backend.ts';
import { UsageError } from '../usage-error.ts';
import { openServerBackend } from './server-backend.ts';

type Handler = (body: any) => Response;
let sent: { target: string; body: any; headers: Headers }[];
let handlers: Record<string, Handler>;

beforeEach(() => {
  sent = [];
  handlers = { 'POST /flows': () => Response.json({ flow: { id: 'new-flow' } }) };
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (url, init = {}) => {
    const target = `${init.method} ${(url as string).replace('http://s/api/v1', '')}`;
    const body = init.body === undefined ? undefined : JSON.parse(init.body as string);
    expect(init.redirect).toBe('error');
    sent.push({ target, body, headers: new Headers(init.headers) });
    const handler = Object.entries(handlers).find(([prefix]) => target.startsWith(prefix))?.[1];
    if (handler === undefined) throw new Error('refused');
    return handler(body);
  });
});
afterEach(() => void vi.restoreAllMocks());

const open = (more: Partial<Parameters<typeof openServerBackend>[0]> = {}) =>
  openServerBackend({ server: 'http://s', key: 'k', flow: 'f', model: undefined, skipAll: false, ...more });
const targets = () => sent.map(({ target }) => target);

/** Answers messages with these events, cut at any place. */
function streams(events: readonly object[], id = 'turn-1'): void {
  const text = events.map((event) => `event: x\ndata: ${JSON.stringify(event)}\n\n`).join('');
  handlers['POST /agentic/assist/stream'] = () => {
    const bytes = new TextEncoder().encode(`: comment\n\n${text}`);
    const body = new ReadableStream({
      start(controller) {
        for (let at = 0; at < bytes.length; at += 7) controller.enqueue(bytes.slice(at, at + 7));
        controller.close();
      },
    });
    return new Response(body, { headers: { 'croft-turn-id': id } });
  };
}
async function say(backend: ChatBackend, message = 'hello'): Promise<AssistantEvent[]> {
  const events: AssistantEvent[] = [];
  for await (const event of backend.send(message).events) events.push(event);
  return events;
}

describe('a chat about a flow of a server', () => {
  it('needs a key and a server that answers', async () => {
    await expect(open({ key: undefined })).rejects.toThrow(
      'http://s needs an API key. Make one on its page Settings and set CROFT_API_KEY',
    );
    handlers = {};
    await expect(open({ flow: undefined })).rejects.toThrow(
      'No server answers at http://s. Check the address, and that the server runs',
    );
  });

  it('is about the given flow, or a new one', async () => {
    expect(await open({ skipAll: true })).toMatchObject({
      about: 'http://s/flows/f',
      newFlow: undefined,
      skipAll: true,
    });
    expect(sent).toEqual([]);
    expect(await open({ flow: undefined })).toMatchObject({ about: 'http://s/flows/new-flow', newFlow: 'new-flow' });
    expect(sent[0]).toMatchObject({ target: 'POST /flows', body: { name: 'Untitled flow' } });
    expect(Object.fromEntries(sent[0]?.headers ?? [])).toEqual({
      authorization: 'Bearer k',
      'content-type': 'application/json',
    });
  });

  it.each([
    [401, {}, 'The server does not accept the key. Make one on its page Settings and set CROFT_API_KEY'],
    [400, { error: { message: 'too many' } }, 'too many'],
    [502, 'text', 'The server answered with status 502'],
  ])('says why the server refused with status %s', async (status, body, message) => {
    handlers['POST /flows'] = () => Response.json(body, { status });
    await expect(open({ flow: undefined })).rejects.toThrow(message);
  });

  it('gives the events of a reply, however the stream is cut', async () => {
    const events = [{ event: 'token', chunk: 'Grüße\n' }, { event: 'complete' }];
    streams(events);
    const backend = await open({ model: 'm' });
    backend.skipAll = true;
    expect(await say(backend)).toEqual(events);
    expect(sent[0]?.body).toEqual({
      flow_id: 'f',
      input_value: 'hello',
      session_id: expect.stringMatching(/^agentic_[\da-f-]{16}$/) as string,
      skip_all: true,
      model_name: 'm',
    });
    await say(await open());
    expect(sent[1]?.body).not.toHaveProperty('model_name');
    expect(sent[1]?.body.skip_all).toBe(false);
  });

  it('joins the lines of one event', async () => {
    handlers['POST /agentic/assist/stream'] = () => new Response('data: {"event":\ndata: "token"}\n\nid: 4\n\n');
    expect(await say(await open())).toEqual([{ event: 'token' }]);
  });

  it('says why a message was not taken', async () => {
    handlers['POST /agentic/assist/stream'] = () => Response.json({ error: { message: 'no model' } }, { status: 400 });
    await expect(say(await open())).rejects.toThrow('no model');
    handlers['POST /agentic/assist/stream'] = () => new Response(null, { status: 204 });
    await expect(say(await open())).rejects.toThrow('The server answered with status 204');
  });

  it('says that the reply may go on where the connection ends early', async () => {
    let isSent = false;
    const body = new ReadableStream({
      pull(controller) {
        if (isSent) controller.error(new TypeError('terminated'));
        else controller.enqueue(new TextEncoder().encode('data: {"event":"token"}\n\n'));
        isSent = true;
      },
    });
    handlers['POST /agentic/assist/stream'] = () => new Response(body);
    const events = (await open()).send('hello').events[Symbol.asyncIterator]();
    expect((await events.next()).value).toEqual({ event: 'token' });
    await expect(events.next()).rejects.toThrow(
      new UsageError(
        'The connection to http://s ended before the reply did. The reply may go on there: look at the flow before you repeat the message',
      ),
    );
  });

  it('answers questions of the turn and cancels it', async () => {
    streams([{ event: 'turn', turn_id: 'turn-2' }], 'turn-1');
    handlers['POST /agentic/turns'] = () => Response.json({});
    const backend = await open();
    const turn = backend.send('hello');
    const events = turn.events[Symbol.asyncIterator]();
    await events.next();
    await turn.answer('q', 'yes');
    expect(sent.at(-1)).toMatchObject({
      target: 'POST /agentic/turns/turn-2/answer',
      body: { id: 'q', choice: 'yes' },
    });
    turn.cancel();
    expect(targets().at(-1)).toBe('POST /agentic/turns/turn-2/cancel');
    handlers['POST /agentic/turns'] = () => Response.json({ error: { message: 'over' } }, { status: 409 });
    await expect(turn.answer('q', 'yes')).rejects.toThrow('over');
    handlers = {};
    turn.cancel();
    await new Promise(setImmediate);
  });
});

describe('decisions and undo', () => {
  const update = (version?: number) => ({ event: 'flow_update', ...(version !== undefined && { version }) });
  const field = { id: 'p', action: 'edit_field' } as Proposal;

  beforeEach(() => {
    handlers['POST /agentic/turns'] = () => Response.json({});
  });

  it('takes back the turns that changed the flow, the newest first', async () => {
    const backend = await open();
    await expect(backend.undo()).rejects.toThrow('There is nothing to undo in this chat.');
    streams([update(1), update(2)], 'turn-1');
    await say(backend);
    streams([update()], 'turn-2');
    await say(backend);
    streams([update(3)], 'turn-3');
    await say(backend);
    sent = [];
    expect(await backend.undo()).toBe('The last message with changes is undone.');
    await backend.undo();
    await expect(backend.undo()).rejects.toThrow('nothing to undo');
    expect(targets()).toEqual(['POST /agentic/turns/turn-3/revert', 'POST /agentic/turns/turn-1/revert']);
  });

  it('takes back a turn that wrote only files, and says which files stay', async () => {
    const backend = await open();
    streams([update(1)], 'turn-1');
    await say(backend);
    streams([{ event: 'file_written', path: 'a.md' }], 'turn-2');
    await say(backend);
    const files = [
      { path: 'a.md', reverted: true, problem: null },
      { path: 'b.md', reverted: false, problem: 'b.md was changed since' },
    ];
    handlers['POST /agentic/turns'] = () => Response.json({ files });
    sent = [];
    expect(await backend.undo()).toBe(
      'The last message with changes is undone. Undone: changes of a.md. Not taken back: b.md was changed since.',
    );
    expect(targets()).toEqual(['POST /agentic/turns/turn-2/revert']);
  });

  it('keeps a turn that could not be undone', async () => {
    const backend = await open();
    streams([update(1)]);
    await say(backend);
    handlers['POST /agentic/turns'] = () => Response.json({ error: { message: 'changed since' } }, { status: 409 });
    await expect(backend.undo()).rejects.toThrow('changed since');
    handlers['POST /agentic/turns'] = () => Response.json({});
    await backend.undo();
  });

  it('sends a decision, which counts as a change unless it dismisses', async () => {
    const backend = await open();
    streams([]);
    await say(backend);
    await backend.decide({ id: 'p', action: 'propose_plan' } as Proposal, 'continue');
    await backend.decide(field, 'dismiss');
    await expect(backend.undo()).rejects.toThrow('nothing to undo');
    await backend.decide(field, 'accept');
    expect(sent.slice(1)).toMatchObject([
      { target: 'POST /agentic/turns/turn-1/answer', body: { id: 'p', choice: 'dismiss' } },
      { target: 'POST /agentic/turns/turn-1/answer', body: { id: 'p', choice: 'accept' } },
    ]);
    await backend.undo();
    handlers['POST /agentic/turns'] = () => Response.json({ error: { message: 'gone' } }, { status: 404 });
    await expect(backend.decide(field, 'accept')).rejects.toThrow('gone');
  });

  it('begins a new session', async () => {
    const backend = await open();
    streams([]);
    await say(backend);
    handlers['POST /agentic/sessions'] = () => Response.json({});
    await backend.newSession();
    await say(backend);
    const [before, reset, after] = sent;
    expect(reset?.target).toBe(
      `POST /agentic/sessions/reset?session_id=${after?.body.session_id}&ended_session_id=${before?.body.session_id}`,
    );
    expect(after?.body.session_id).not.toBe(before?.body.session_id);
  });
});

describe('the end of a chat', () => {
  const holds = (...nodes: unknown[]) => {
    handlers['GET /flows/new-flow'] = () => Response.json({ flow: { document: { nodes } } });
    handlers['DELETE /flows/new-flow'] = () => new Response(null, { status: 204 });
  };

  it('deletes a new flow that is still empty', async () => {
    holds();
    const backend = await open({ flow: undefined });
    expect(await backend.close()).toBe('Deleted the new flow new-flow: it is empty.');
    expect(targets()).toEqual(['POST /flows', 'GET /flows/new-flow', 'DELETE /flows/new-flow']);
    expect(sent[1]?.headers.get('content-type')).toBeNull();
    handlers['DELETE /flows/new-flow'] = () => new Response(null, { status: 500 });
    expect(await backend.close()).toBeUndefined();
  });

  it('leaves every other flow', async () => {
    expect(await (await open()).close()).toBeUndefined();
    holds({});
    const backend = await open({ flow: undefined });
    expect(await backend.close()).toBeUndefined();
    handlers['GET /flows/new-flow'] = () => Response.json({}, { status: 404 });
    expect(await backend.close()).toBeUndefined();
    expect(targets()).not.toContain('DELETE /flows/new-flow');
  });
});
