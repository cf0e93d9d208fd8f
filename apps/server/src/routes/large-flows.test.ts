import { emptyFlow, type FlowDocument } from '@croft/flow';
import { expect, it, vi } from 'vitest';
import type { Visitor } from '../testing.ts';
import { useTestServer } from '../use-test-server.ts';

let page: Visitor;

useTestServer(
  {},
  async (started) => {
    page = await started.signInAdmin();
  },
  { forTests: { checksResponses: false } },
);

const LARGE = 2 * 1024 * 1024;
/** A component that ends a run at once, with a text that no other component reads. */
const document: FlowDocument = {
  ...emptyFlow('Large'),
  nodes: [
    {
      id: 'T',
      type: 'TextInput',
      position: { x: 0, y: 0 },
      values: {},
      pinned: { text: 'x'.repeat(LARGE) },
    },
  ],
};

/** How often a request makes the server print and parse the flow. The requests are printed and parsed here, too. */
async function counted(method: string, path: string, json?: unknown): Promise<[prints: number, parses: number]> {
  const body = json === undefined ? undefined : JSON.stringify(json);
  const print = vi.spyOn(JSON, 'stringify');
  const parse = vi.spyOn(JSON, 'parse');
  try {
    const headers = body === undefined ? {} : { 'content-type': 'application/json' };
    const response = await page.request(path, { method, headers, ...(body !== undefined && { body }) });
    await response.arrayBuffer();
    expect(response.status).toBeLessThan(300);
    const prints = print.mock.results.filter(({ value }) => typeof value === 'string' && value.length > LARGE);
    const parses = parse.mock.calls.filter(([text]) => typeof text === 'string' && text.length > LARGE);
    return [prints.length, parses.length];
  } finally {
    print.mockRestore();
    parse.mockRestore();
  }
}

it('prints and parses a large flow no more often than it has to', async () => {
  const { body } = await page.json<any>('/api/v1/flows', { method: 'POST', json: { document } });
  const at = `/api/v1/flows/${body.flow.id}`;
  const edits = [{ kind: 'set_details', name: 'Renamed' }];
  // The stored text, and the response.
  expect(await counted('POST', '/api/v1/flows', { document })).toEqual([2, 1]);
  expect(await counted('GET', `${at}/check`)).toEqual([0, 1]);
  expect(await counted('POST', `${at}/edits`, { base: 1, edits })).toEqual([1, 1]);
  expect(await counted('POST', `${at}/run`, {})).toEqual([0, 1]);
});
