import type { AnyTool } from '@croft/tools';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { createServerFactory } from './create-server.ts';
import { createHttpEndpoint } from './serve-http.ts';

it("two callers with the same session id cannot cancel each other's calls", async () => {
  const ended: string[] = [];
  let begun = 0;
  const tool: AnyTool = {
    name: 'wait',
    title: 'Wait',
    description: 'Waits to be cancelled',
    tags: ['wait'],
    input: z.object({}),
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    run: (_, { signal }) =>
      new Promise((resolve) => {
        begun++;
        signal?.addEventListener('abort', () => {
          ended.push('cancelled');
          resolve({ ok: false, data: {} });
        });
      }),
  };
  const endpoint = createHttpEndpoint(createServerFactory({ name: 't', version: '1' }, () => ({ tools: [tool] })));
  const post = (clientId: string, message: object) =>
    endpoint.fetch(
      new Request('http://127.0.0.1/mcp', {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': '2025-06-18',
          'mcp-session-id': 'same',
        },
        body: JSON.stringify({ jsonrpc: '2.0', ...message }),
      }),
      { authInfo: { token: '', clientId, scopes: [] } },
    );
  const cancel = { method: 'notifications/cancelled', params: { requestId: 1 } };
  try {
    void post('ann', { id: 1, method: 'tools/call', params: { name: 'wait', arguments: {} } });
    await expect.poll(() => begun).toBe(1);
    await post('bob', cancel);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(ended).toEqual([]);
    await post('ann', cancel);
    await expect.poll(() => ended).toEqual(['cancelled']);
  } finally {
    await endpoint.close();
  }
});
