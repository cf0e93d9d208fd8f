import { type AnyTool, READS } from '@croft/tools';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { createServerFactory, type StoredTools } from './create-server.ts';
import { createHttpEndpoint } from './serve-http.ts';

const tool = (name: string): AnyTool => ({
  name,
  title: name,
  description: name,
  tags: [name],
  input: z.object({}),
  annotations: READS,
  run: () => ({ ok: true, data: {}, text: `result of ${name}` }),
});

/** Sends requests to a server with the tool `own`. */
async function answersOf(storedTools: StoredTools, requests: readonly object[], onInternalError = () => {}) {
  const table = { tools: [tool('own')], storedTools, onInternalError };
  const endpoint = createHttpEndpoint(createServerFactory({ name: 't', version: '1' }, () => table));
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2025-06-18',
  };
  try {
    const answers: string[] = [];
    for (const request of requests) {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, ...request });
      const sent = new Request('http://127.0.0.1/mcp', { method: 'POST', headers, body });
      answers.push(await (await endpoint.fetch(sent)).text());
    }
    return answers;
  } finally {
    await endpoint.close();
  }
}

const list = { method: 'tools/list', params: {} };
const call = (name: string) => ({ method: 'tools/call', params: { name, arguments: {} } });

it('reads all stored tools for a list, and one for a call of a tool that the table does not have', async () => {
  const reads: string[] = [];
  const stored: StoredTools = {
    async list() {
      reads.push('list');
      return [tool('kept')];
    },
    async find(name) {
      reads.push(name);
      return name === 'kept' ? tool(name) : undefined;
    },
  };
  const [listed, own, kept, unknown] = await answersOf(stored, [list, call('own'), call('kept'), call('other')]);
  expect(listed).toMatch(/"name":"own".*"name":"kept"/s);
  expect(own).toContain('result of own');
  expect(kept).toContain('result of kept');
  expect(unknown).toMatch(/"isError":true|"error"/);
  expect(reads).toEqual(['list', 'kept', 'other']);
});

it('tells the client nothing about why the stored tools could not be read', async () => {
  const failing = async () => {
    throw new Error('connect ECONNREFUSED db.internal:5432');
  };
  let reports = 0;
  const answers = await answersOf({ list: failing, find: failing }, [list, call('kept')], () => void reports++);
  for (const answer of answers) expect(answer).toContain('The tools could not be read. Try again later.');
  expect(answers.join()).not.toContain('db.internal');
  expect(reports).toBe(2);
});
