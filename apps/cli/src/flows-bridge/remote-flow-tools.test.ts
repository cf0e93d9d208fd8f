import type { AnyTool, ToolResult } from '@croft/tools';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { remoteFlowTools } from './remote-flow-tools.ts';
import { NotSignedIn, ServerFailed, type ServerLink } from './server-link.ts';

const LISTED = { name: 'run_flow', inputSchema: { type: 'object', properties: { flow: { type: 'string' } } } };

/** The tools of a server that lists these, and answers calls with `answer`. */
async function open(listed: readonly object[], answer: () => object = () => ({})) {
  const sent: unknown[][] = [];
  const link: ServerLink = {
    server: 'http://s',
    async request(method, params, signal) {
      sent.push([method, params, signal]);
      return (method === 'tools/list' ? { tools: listed } : answer()) as Record<string, unknown>;
    },
  };
  const tools = await remoteFlowTools(link);
  const { signal } = new AbortController();
  const run = () => (tools[0] as AnyTool).run({ flow: 'a' }, { signal } as never) as Promise<ToolResult>;
  return { tools, sent, run, signal };
}

describe('the tools of a server', () => {
  it('are listed as the server lists them', async () => {
    const outputSchema = { type: 'object', properties: { run: { type: 'string' } } };
    const annotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
    const { tools, sent } = await open([
      { ...LISTED, title: 'Run', description: 'Runs.', outputSchema, annotations },
      LISTED,
    ]);
    expect(sent).toEqual([['tools/list', {}, undefined]]);
    expect(tools[0]).toMatchObject({
      name: 'run_flow',
      title: 'Run',
      description: 'Runs.',
      tags: ['run_flow'],
      structured: true,
      annotations,
    });
    const schemaOf = (schema: unknown) => z.toJSONSchema(schema as z.ZodType);
    expect(schemaOf(tools[0]?.input)).toMatchObject(LISTED.inputSchema);
    expect(schemaOf(tools[0]?.output)).toMatchObject(outputSchema);
    expect(tools[1]).toMatchObject({
      title: 'run_flow',
      description: '',
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
    });
    expect(tools[1]).not.toHaveProperty('output');
    expect(tools[1]).not.toHaveProperty('structured');
  });

  it('are refused where the server lists something else', async () => {
    await expect(open([{ name: 4 }])).rejects.toThrow();
  });
});

describe('a call of such a tool', () => {
  it('is made there, with its signal', async () => {
    const { run, sent, signal } = await open([LISTED], () => ({
      content: [{ text: 'one' }, { type: 'image' }, { text: 'two' }],
      structuredContent: { run: 'r' },
    }));
    expect(await run()).toEqual({ ok: true, data: { run: 'r' }, text: 'one\n\ntwo' });
    expect(sent[1]).toEqual(['tools/call', { name: 'run_flow', arguments: { flow: 'a' } }, signal]);
  });

  it('gives the failure that the server describes', async () => {
    const { run } = await open([LISTED], () => ({ isError: true, content: [{ text: 'no flow' }] }));
    expect(await run()).toEqual({ ok: false, data: { error: 'no flow' }, text: 'no flow' });
    expect(await (await open([LISTED])).run()).toEqual({ ok: true, data: { error: '' }, text: '' });
  });

  it('gives the reason where the server cannot be asked, and passes on other errors', async () => {
    const failing = async (error: Error) =>
      (
        await open([LISTED], () => {
          throw error;
        })
      ).run();
    expect(await failing(new NotSignedIn('Call login.'))).toEqual({ ok: false, data: { error: 'Call login.' } });
    expect(await failing(new ServerFailed('gone'))).toEqual({ ok: false, data: { error: 'gone' } });
    await expect(failing(new Error('other'))).rejects.toThrow('other');
  });
});
