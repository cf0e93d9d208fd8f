import { InMemoryTransport, type JSONRPCMessage, Server } from '@modelcontextprotocol/server';
import { afterEach, expect, it } from 'vitest';
import { type ServedResources, serveResources } from './serve-resources.ts';

const template = {
  uriTemplate: 'croft://flows/{id}',
  name: 'Flows',
  description: 'A flow as text.',
  mimeType: 'text/yaml',
};
const cursors: (string | undefined)[] = [];
const resources: ServedResources = {
  template,
  async list(cursor) {
    cursors.push(cursor);
    const page = [{ uri: 'croft://flows/1', name: 'One' }];
    return cursor === undefined ? { resources: page, nextCursor: 'more' } : { resources: [] };
  },
  read: async (uri) => (uri === 'croft://flows/1' ? 'nodes: {}' : undefined),
};

let server: Server;
afterEach(() => server.close());

/** The response of a server with these resources to one request, after the handshake. */
async function answer(method: string, params: object = {}): Promise<any> {
  server = new Server({ name: 't', version: '1' }, { capabilities: { resources: {} } });
  serveResources(server, resources);
  const [mine, its] = InMemoryTransport.createLinkedPair();
  await server.connect(its);
  const request = (id: number, name: string, given: object) =>
    new Promise<JSONRPCMessage>((resolve) => {
      mine.onmessage = (message) => resolve(message);
      void mine.send({ jsonrpc: '2.0', id, method: name, params: { ...given } });
    });
  await mine.start();
  const clientInfo = { name: 'c', version: '1' };
  await request(1, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  return request(2, method, params);
}

it('says which form the addresses have', async () => {
  expect((await answer('resources/templates/list')).result.resourceTemplates).toEqual([template]);
});

it('lists pages, each entry with the type of the documents, until there is no next one', async () => {
  const first = (await answer('resources/list')).result;
  expect(first).toMatchObject({
    resources: [{ uri: 'croft://flows/1', name: 'One', mimeType: 'text/yaml' }],
    nextCursor: 'more',
  });
  const last = (await answer('resources/list', { cursor: 'more' })).result;
  expect(last.resources).toEqual([]);
  expect(last).not.toHaveProperty('nextCursor');
  expect(cursors).toEqual([undefined, 'more']);
});

it('reads a document, and says where there is none', async () => {
  expect((await answer('resources/read', { uri: 'croft://flows/1' })).result.contents).toEqual([
    { uri: 'croft://flows/1', mimeType: 'text/yaml', text: 'nodes: {}' },
  ]);
  expect((await answer('resources/read', { uri: 'croft://flows/2' })).error).toMatchObject({
    message: expect.stringContaining('croft://flows/2'),
  });
});
