import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { createServerFactory } from '../../packages/mcp/src/create-server.ts';
import { createHttpEndpoint } from '../../packages/mcp/src/serve-http.ts';
import { confirmDestructive } from '../../packages/tools/src/confirm.ts';
import { makeToolset } from '../../packages/tools/src/toolsets.ts';
import { fixedWorkspace } from '../../packages/tools/src/workspace-source.ts';
import { withWorkspace } from './refusal.ts';

type Answer = { action: 'accept' | 'decline' | 'cancel'; content?: Record<string, string | boolean> };

/** The content of the file after a client, whose person gives this answer, has asked to overwrite it. */
async function afterAnswer(answer: Answer, elicitation: { form?: { applyDefaults: boolean } } = {}): Promise<string> {
  let text = '';
  await withWorkspace(['a.txt = old'], async (workspace, scratch) => {
    const source = fixedWorkspace(workspace);
    const tools = confirmDestructive(makeToolset('full', source), source);
    const endpoint = createHttpEndpoint(createServerFactory({ name: 'croft', version: '1' }, () => ({ tools })));
    const client = new Client(
      { name: 'red', version: '1' },
      { capabilities: { elicitation }, versionNegotiation: { mode: 'auto' } },
    );
    let asked = 0;
    client.setRequestHandler('elicitation/create', () => {
      asked++;
      return answer;
    });
    // No port: the endpoint gets the client's request directly.
    await client.connect(
      new StreamableHTTPClientTransport(new URL('http://127.0.0.1/mcp'), {
        fetch: (url, init) => endpoint.fetch(new Request(url, init)),
      }),
    );
    try {
      await client.callTool({ name: 'write_file', arguments: { path: 'a.txt', content: 'new' } });
      expect(asked).toBe(1);
      text = readFileSync(join(scratch.workspace, 'a.txt'), 'utf8');
    } finally {
      await client.close();
      await endpoint.close();
    }
  });
  return text;
}

describe('the question to the person', () => {
  it('lets the call go on when the box was ticked', async () => {
    expect(await afterAnswer({ action: 'accept', content: { allow: true } })).toBe('new');
  });

  it('is a no where a client fills the form in from its defaults', async () => {
    expect(await afterAnswer({ action: 'accept', content: {} }, { form: { applyDefaults: true } })).toBe('old');
  });

  it.each<Answer>([
    { action: 'accept' },
    { action: 'accept', content: {} },
    { action: 'accept', content: { allow: false } },
    { action: 'accept', content: { allow: 'true' } },
  ])('is a no while the box is not ticked: $content', async (answer) => {
    expect(await afterAnswer(answer)).toBe('old');
  });

  it.each(['decline', 'cancel'] as const)('is a no after %s, whatever the form holds', async (action) => {
    expect(await afterAnswer({ action, content: { allow: true } })).toBe('old');
  });
});
