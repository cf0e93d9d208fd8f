import type { AnyTool, CallContext } from '@croft/tools';
import { Client, InMemoryTransport, type ClientOptions } from '@modelcontextprotocol/client';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createServerFactory, type ServedTools, type ServerIdentity } from './create-server.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const tool = (run: (context: CallContext) => ReturnType<AnyTool['run']>): AnyTool => ({
  name: 'work',
  title: 'Work',
  description: 'Works',
  tags: ['work'],
  input: z.object({}),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  run: (_, context) => run(context),
});
const done = () => ({ ok: true as const, data: {}, text: 'done' });

/** A client that is connected to a server with these tools. */
async function connect(table: ServedTools, identity: Partial<ServerIdentity> = {}, options: ClientOptions = {}) {
  return connectTo(
    createServerFactory({ name: 'files', version: '7', ...identity }, () => table),
    options,
  );
}

async function connectTo(factory: ReturnType<typeof createServerFactory>, options: ClientOptions = {}, request = {}) {
  const server = await factory(request as never);
  const [mine, its] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'agent', version: '1' }, options);
  closing.push(() => client.close());
  await server.connect(its as never);
  await client.connect(mine);
  return client;
}

const text = (result: unknown) => (result as { content: { text: string }[] }).content[0]?.text;

describe('a server', () => {
  it('introduces itself, with the instructions of the table before those of the server', async () => {
    const plain = await connect({ tools: [] });
    expect([plain.getServerVersion(), plain.getInstructions()]).toEqual([{ name: 'files', version: '7' }, undefined]);
    const named = await connect({ tools: [] }, { title: 'Files', instructions: 'of the server' });
    expect([named.getServerVersion()?.title, named.getInstructions()]).toEqual(['Files', 'of the server']);
    const own = await connect({ tools: [], instructions: 'of the table' }, { instructions: 'of the server' });
    expect(own.getInstructions()).toBe('of the table');
  });

  it('declares resources and changing tools only where it has them', async () => {
    expect((await connect({ tools: [] })).getServerCapabilities()).toEqual({ tools: {} });
    const resources = {
      template: { uriTemplate: 'croft://{id}', name: 'n', description: 'd', mimeType: 'text/plain' },
      list: async () => ({ resources: [{ uri: 'croft://1', name: 'One' }] }),
      read: async () => 'text',
    };
    const client = await connect({ tools: [], resources, onToolsChanged: () => undefined });
    expect(client.getServerCapabilities()).toEqual({ tools: { listChanged: true }, resources: {} });
    expect((await client.listResources()).resources).toHaveLength(1);
  });

  it('tells the client that the tools changed', async () => {
    let notify = (): void => undefined;
    const client = await connect({ tools: [], onToolsChanged: (changed) => (notify = changed) });
    const told = new Promise<void>((resolve) =>
      client.setNotificationHandler('notifications/tools/list_changed', () => resolve()),
    );
    notify();
    await told;
    await client.close();
    expect(() => notify()).not.toThrow();
  });
});

describe('a call', () => {
  it('gives the result of its tool, and a refusal of its arguments is a result too', async () => {
    const client = await connect({ tools: [tool(done)] });
    expect(text(await client.callTool({ name: 'work', arguments: {} }))).toBe('done');
    expect(await client.callTool({ name: 'work', arguments: 7 as never }).catch(() => 'protocol')).toBe('protocol');
    expect(await client.callTool({ name: 'none', arguments: {} })).toMatchObject({ isError: true });
  });

  it('knows its client and its signal, and reports progress only where the client wants it', async () => {
    const seen: CallContext[] = [];
    const client = await connect({
      tools: [
        tool((context) => {
          seen.push(context);
          context.onProgress?.(3);
          context.onProgress?.(4, 'four');
          return done();
        }),
      ],
    });
    await client.callTool({ name: 'work', arguments: {} });
    expect([seen[0]?.caller, seen[0]?.onProgress, seen[0]?.signal?.aborted]).toEqual(['agent', undefined, false]);
    const progress: unknown[] = [];
    const onprogress = (each: unknown) => void progress.push(each);
    await client.callTool({ name: 'work', arguments: {} }, { onprogress });
    expect(progress).toEqual([
      { progress: 3, message: '3 entries searched' },
      { progress: 4, message: 'four' },
    ]);
  });

  it('ends its tool when the client cancels', async () => {
    let ended = (): void => undefined;
    const over = new Promise<void>((resolve) => (ended = resolve));
    const client = await connect({
      tools: [
        tool(({ signal }) => {
          abort.abort();
          return new Promise((resolve) =>
            signal?.addEventListener('abort', () => {
              ended();
              resolve(done());
            }),
          );
        }),
      ],
    });
    const abort = new AbortController();
    await client.callTool({ name: 'work', arguments: {} }, { signal: abort.signal }).catch(() => undefined);
    await over;
  });
});

it('a client over HTTP cancels a call by another request of its session', async () => {
  let [begun, ended] = [false, false];
  const waiting = tool(({ signal }) => {
    begun = true;
    return new Promise((resolve) => signal?.addEventListener('abort', () => resolve(((ended = true), done()))));
  });
  const factory = createServerFactory({ name: 'files', version: '7' }, () => ({ tools: [waiting] }));
  const from = (session: string) => ({
    requestInfo: new Request('http://127.0.0.1', { headers: { 'mcp-session-id': session } }),
  });
  const caller = await connectTo(factory, {}, from('one'));
  const [same, other] = [await connectTo(factory, {}, from('one')), await connectTo(factory, {}, from('two'))];
  const call = caller.callTool({ name: 'work', arguments: {} });
  await expect.poll(() => begun).toBe(true);
  const cancelFrom = async (client: Client) => {
    for (const requestId of [0, 1, 2])
      await client.notification({ method: 'notifications/cancelled', params: { requestId } });
  };
  await cancelFrom(other);
  expect(ended).toBe(false);
  await cancelFrom(same);
  await call;
  expect(ended).toBe(true);
});

describe('a question to the person', () => {
  const asking = tool(async ({ confirm }) => {
    const answer = confirm ? await confirm('Delete it?', 'v1') : 'nobody to ask';
    return { ok: true, data: {}, text: String(answer) };
  });
  const ask = async (action: string, content?: object) => {
    const client = await connect({ tools: [asking] }, {}, { capabilities: { elicitation: {} } });
    const questions: string[] = [];
    client.setRequestHandler('elicitation/create', ({ params }) => {
      questions.push(params.message);
      return { action, ...(content && { content }) } as never;
    });
    const result = text(await client.callTool({ name: 'work', arguments: {} }));
    return [result, ...questions];
  };

  it('is not possible with a client that did not declare it', async () => {
    const client = await connect({ tools: [asking] });
    expect(text(await client.callTool({ name: 'work', arguments: {} }))).toBe('nobody to ask');
  });

  it('is a permission only where the person accepts and allows', async () => {
    expect(await ask('accept', { allow: true })).toEqual(['true', 'Delete it?']);
    expect(await ask('accept', { allow: false })).toEqual(['false', 'Delete it?']);
    expect((await ask('decline'))[0]).toBe('false');
    expect((await ask('cancel'))[0]).toBe('false');
  });
});

describe('stored tools', () => {
  it('are listed after those of the table, which win where names are equal', async () => {
    const kept = { ...tool(() => ({ ...done(), text: 'kept' })), name: 'kept' };
    const found: string[] = [];
    const client = await connect({
      tools: [tool(done)],
      storedTools: {
        list: async () => [kept],
        find: async (name) => {
          found.push(name);
          return name === 'kept' ? kept : undefined;
        },
      },
    });
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['work', 'kept']);
    expect(text(await client.callTool({ name: 'kept', arguments: {} }))).toBe('kept');
    expect(text(await client.callTool({ name: 'work', arguments: {} }))).toBe('done');
    expect(found).toEqual(['kept']);
  });

  it('that cannot be read tell the operator why, and the client that it may try again', async () => {
    const reports: unknown[] = [];
    const failing = async () => {
      throw new Error('connect ECONNREFUSED db.internal:5432');
    };
    const client = await connect({
      tools: [],
      storedTools: { list: failing, find: failing },
      onInternalError: (error, place) => reports.push((error as Error).message, place),
    });
    await expect(client.listTools()).rejects.toThrow('The tools could not be read. Try again later.');
    await expect(client.callTool({ name: 'x', arguments: {} })).rejects.toThrow('could not be read');
    expect(reports).toEqual(Array(2).fill(['connect ECONNREFUSED db.internal:5432', 'tools']).flat());
  });
});
