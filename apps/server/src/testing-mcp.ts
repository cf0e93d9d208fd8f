import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { TestServer } from './testing.ts';

/** Connects an MCP client to a test server, with an API key or the token of the machine. */
export async function connectMcp(
  { url }: TestServer,
  secret: string,
  path = '/mcp',
  client = new Client({ name: 'test', version: '1' }),
): Promise<Client> {
  const requestInit = { headers: { authorization: `Bearer ${secret}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}${path}`), { requestInit }));
  return client;
}

/** Connects an MCP client for some work, and closes it. */
export async function withMcp<Result>(
  server: TestServer,
  secret: string,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = await connectMcp(server, secret);
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}
