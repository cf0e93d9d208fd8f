import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ADMIN } from './testing.ts';
import { useTestServer } from './use-test-server.ts';

interface Operation {
  readonly operationId: string;
  readonly parameters: readonly { readonly name: string; readonly in: 'path' | 'query'; readonly required: boolean }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, unknown>> };
  readonly responses: Readonly<Record<string, { readonly content: Readonly<Record<string, { schema?: object }>> }>>;
  readonly security: readonly Readonly<Record<string, unknown>>[];
}

interface Document {
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly securitySchemes: Readonly<Record<string, { readonly name?: string }>> };
}

interface Sent {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly bytes?: Uint8Array;
  readonly accept?: string;
}

/**
 * A client that knows nothing but the document: it finds an operation by its id, sends what the operation describes, and
 * parses the response by the schema of its status.
 */
class DocumentClient {
  readonly #document: Document;
  readonly #operations: ReadonlyMap<string, { method: string; path: string; operation: Operation }>;
  readonly #headers = new Map<string, string>();

  constructor(document: Document) {
    this.#document = document;
    this.#operations = new Map(
      Object.entries(document.paths).flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, operation]) => [operation.operationId, { method, path, operation }]),
      ),
    );
    // A page of the server sends these headers with each change.
    this.#headers.set('x-croft', '1');
    this.#headers.set('origin', new URL(this.#url).origin);
  }

  get #url(): string {
    return this.#document.servers[0]?.url ?? '';
  }

  /** Sends these credentials, by the name of their security scheme. */
  authorize(scheme: string, value: string): void {
    const { name } = this.#document.components.securitySchemes[scheme] ?? {};
    if (scheme === 'session') this.#headers.set('cookie', `${name}=${value}`);
    else this.#headers.set(name ?? 'authorization', value);
  }

  async call(operationId: string, sent: Sent = {}): Promise<{ status: number; headers: Headers; body: any }> {
    const response = await this.send(operationId, sent);
    const { responses } = this.#find(operationId).operation;
    const found = responses[response.status] ?? responses.default;
    if (found === undefined) throw new Error(`${operationId}: status ${response.status} is not in the document`);
    const type = response.headers.get('content-type')?.split(';')[0] ?? '';
    const schema = found.content['application/json']?.schema;
    if (type !== 'application/json' || schema === undefined)
      return { status: response.status, headers: response.headers, body: new Uint8Array(await response.arrayBuffer()) };
    const body = z.fromJSONSchema(schema as never).parse(await response.json());
    return { status: response.status, headers: response.headers, body };
  }

  /** The response unread, for streams. */
  send(operationId: string, { path = {}, query = {}, json, bytes, accept }: Sent = {}): Promise<Response> {
    const { method, path: template, operation } = this.#find(operationId);
    for (const { name, in: where, required } of operation.parameters)
      if (required && (where === 'path' ? path : query)[name] === undefined)
        throw new Error(`${operationId} needs ${name}`);
    const filled = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ''));
    const types = Object.keys(operation.requestBody?.content ?? {});
    if (json !== undefined && !types.includes('application/json')) throw new Error(`${operationId} takes no JSON`);
    const type = json !== undefined ? 'application/json' : types[0];
    return fetch(`${this.#url}${filled}?${new URLSearchParams(query)}`, {
      method: method.toUpperCase(),
      headers: [
        ...this.#headers,
        ...(type !== undefined ? [['content-type', type] as [string, string]] : []),
        ...(accept !== undefined ? [['accept', accept] as [string, string]] : []),
      ],
      ...(json !== undefined && { body: JSON.stringify(json) }),
      ...(bytes !== undefined && { body: bytes as never }),
    });
  }

  #find(operationId: string) {
    const found = this.#operations.get(operationId);
    if (found === undefined) throw new Error(`${operationId} is not in the document`);
    return found;
  }
}

let document: Document;

useTestServer({}, async (started) => {
  const admin = await started.signInAdmin();
  document = (await admin.json<Document>('/api/openapi.json')).body;
});

/** A client with the session of the admin. */
async function signedIn(): Promise<DocumentClient> {
  const client = new DocumentClient(document);
  const { status, headers } = await client.call('signIn', { json: ADMIN });
  expect(status).toBe(200);
  const { name = '' } = document.components.securitySchemes.session ?? {};
  const cookie = headers.getSetCookie().find((line) => line.startsWith(`${name}=`)) ?? '';
  client.authorize('session', cookie.slice(name.length + 1).split(';')[0] ?? '');
  return client;
}

describe('a client that has only the OpenAPI document', () => {
  it('signs in, uploads, lists, downloads and deletes a file', async () => {
    const client = await signedIn();
    expect((await client.call('getMe')).body.user.role).toBe('admin');
    const bytes = new Uint8Array([0, 1, 2, 250, 255]);
    const stored = await client.call('uploadFile', { query: { path: 'by-document.bin' }, bytes });
    expect([stored.status, stored.body.size]).toEqual([201, 5]);
    const listed = await client.call('listFiles', { query: { path: '' } });
    expect(listed.body.entries).toContainEqual(expect.objectContaining({ path: 'by-document.bin', size: 5 }));
    expect((await client.call('downloadFile', { query: { path: 'by-document.bin' } })).body).toEqual(bytes);
    expect((await client.call('deleteFiles', { json: { path: 'by-document.bin' } })).status).toBe(200);
    const { body: activity } = await client.call('listRecentChanges');
    expect(activity.changes.map(({ tool, via, paths }: Record<string, unknown>) => [tool, via, paths])).toEqual([
      ['delete_path', 'page', ['by-document.bin']],
      ['upload', 'page', ['by-document.bin']],
    ]);
    const gone = await client.call('downloadFile', { query: { path: 'by-document.bin' } });
    expect([gone.status, gone.body.error.code]).toEqual([404, 'not_found']);
  });

  it('calls a tool with the arguments that the document describes', async () => {
    const client = await signedIn();
    const written = await client.call('full_write_file', { json: { path: 'by-tool.txt', content: 'of a tool' } });
    expect(written.body).toMatchObject({ ok: true });
    const read = await client.call('full_read_file', { json: { path: 'by-tool.txt' } });
    expect(JSON.stringify(read.body)).toContain('of a tool');
    const operation: Operation | undefined = document.paths['/api/v1/tools/full/write_file']?.post;
    expect(operation?.requestBody?.content['application/json']).toMatchObject({
      schema: { required: expect.arrayContaining(['path', 'content']) },
    });
  });

  it('sends a message to /mcp, and reads the state of the gateway below /rest', async () => {
    const client = await signedIn();
    const status = (await client.call('getGatewayStatus')).body;
    expect((await client.call('getGatewayStatusRest')).body).toEqual(status);
    const json = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const listed = await client.send('sendMcpMessage', { json, accept: 'application/json, text/event-stream' });
    expect([listed.status, await listed.text()]).toEqual([200, expect.stringContaining('read_file')]);
    const { body } = await new DocumentClient(document).call('sendMcpMessage', { json });
    expect(body.error.message).toMatch(/^Unauthorized/);
  });

  it('connects a machine and reads a file of it', async () => {
    const client = await signedIn();
    const { body: link } = await client.call('createGatewayLink', { json: {} });
    const machine = new DocumentClient(document);
    machine.authorize('machineKey', link.token);
    const tools = [{ name: 'read-file', description: 'Reads a file', inputSchema: { type: 'object' } }];
    const { body: welcome } = await machine.call('connectMachine', { json: { rootPath: '/home/me', tools } });
    machine.authorize('machineKey', welcome.sessionKey);
    const stream = await machine.send('followMachineRequests');
    const answering = answerOne(machine, stream);
    await expect.poll(async () => (await client.call('getGatewayStatus')).body.connected).toBe(true);
    const read = await client.call('callMachineTool', { path: { name: 'read-file' }, json: { filePath: 'a.txt' } });
    expect(read.body).toMatchObject({ ok: true });
    expect(JSON.stringify(read.body)).toContain('from the machine');
    await answering;
    expect((await machine.call('disconnectMachine')).body.ok).toBe(true);
    expect((await client.call('getGatewayStatus')).body.connected).toBe(false);
  });
});

/** Answers the first request of a stream, as a machine does. */
async function answerOne(machine: DocumentClient, stream: Response): Promise<void> {
  let text = '';
  for await (const part of stream.body as unknown as AsyncIterable<Uint8Array>) {
    text += new TextDecoder().decode(part);
    const requestId = /"requestId":"([\w-]+)"/.exec(text)?.[1];
    if (requestId === undefined) continue;
    const result = { content: [{ type: 'text', text: 'from the machine' }] };
    await machine.call('answerMachineRequest', { path: { requestId }, json: { result } });
    return;
  }
}
