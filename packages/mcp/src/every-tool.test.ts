import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as FirstStdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as FirstHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  connect,
  type Era,
  makeSurroundings,
  PROGRAM,
  type RunningMcpHttp,
  startMcpHttp,
  type Surroundings,
  toolNames,
  type WireMessage,
} from './testing.ts';

/** Content of files; the test counts each copy of it in a response. */
const MARKER = 'mArKeR-7e1f';
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

interface Given {
  readonly tool: string;
  readonly input: Record<string, unknown>;
  /** How often the marker occurs in the raw response. */
  readonly marker?: number;
}

/** One call of every tool of `full`, in a working order. Each run has its own `dir`. */
function calls(dir: string): readonly Given[] {
  const at = (name: string) => `${dir}/${name}`;
  return [
    { tool: 'create_dir', input: { path: dir } },
    { tool: 'write_file', input: { path: at('a.txt'), content: `one ${MARKER}\ntwo\n` }, marker: 0 },
    { tool: 'append_file', input: { path: at('a.txt'), content: 'three\n' } },
    { tool: 'read_file', input: { path: at('a.txt') }, marker: 1 },
    { tool: 'read_many', input: { paths: [at('a.txt'), at('missing.txt')] }, marker: 1 },
    { tool: 'grep_search', input: { pattern: 'mArKeR', path: dir, output_mode: 'content' }, marker: 1 },
    { tool: 'glob_search', input: { pattern: '**/*.txt', path: dir } },
    { tool: 'list_dir', input: { path: dir } },
    { tool: 'get_file_tree', input: { path: dir } },
    { tool: 'file_info', input: { path: at('a.txt') } },
    { tool: 'edit_file', input: { path: at('a.txt'), old_string: 'two', new_string: `new-${MARKER}` }, marker: 2 },
    { tool: 'copy_path', input: { source: at('a.txt'), destination: at('b.txt') } },
    { tool: 'move_path', input: { source: at('b.txt'), destination: at('c.txt') } },
    { tool: 'delete_path', input: { path: at('c.txt') } },
    { tool: 'read_media', input: { path: 'dot.png' } },
  ];
}

interface AnyResult {
  readonly content?: { type: string; text?: string }[];
  readonly structuredContent?: Record<string, unknown>;
  readonly isError?: boolean;
}

interface AnyClient {
  listTools(): Promise<{
    tools: {
      name: string;
      outputSchema?: unknown;
      annotations?: Record<string, unknown>;
      inputSchema: { additionalProperties?: unknown };
    }[];
  }>;
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<AnyResult>;
}

async function callEverything(client: AnyClient, received: readonly WireMessage[], dir: string): Promise<void> {
  // After tools/list, the client checks every structured result against its schema.
  const { tools } = await client.listTools();
  expect(tools.map((tool) => tool.name).sort()).toEqual(
    calls(dir)
      .map(({ tool }) => tool)
      .sort(),
  );
  for (const { tool, input, marker } of calls(dir)) {
    const result = await client.callTool({ name: tool, arguments: input });
    expect(result.isError ?? false, `${tool}: ${JSON.stringify(result)}`).toBe(false);
    const raw = JSON.stringify(received.at(-1)?.result);
    if (marker !== undefined)
      expect(raw.split(MARKER).length - 1, `${tool} carries its text once: ${raw}`).toBe(marker);
    expectShape(tool, result, tools.find(({ name }) => name === tool)?.outputSchema !== undefined);
  }
  const refused = await client.callTool({ name: 'read_file', arguments: { path: '../../etc/passwd' } });
  expect(refused.isError).toBe(true);
  expect(refused.structuredContent).toBeUndefined();
}

/** Expected form: a short record is structured, with one line that says the same; a long text is content only. */
function expectShape(tool: string, result: AnyResult, structured: boolean): void {
  const [first, ...more] = result.content ?? [];
  expect(first?.type).toBe('text');
  expect(result.structuredContent !== undefined, `${tool} has structured content as its listing says`).toBe(structured);
  if (structured) expect(first?.text, tool).not.toContain('\n');
  else expect(() => JSON.parse(first?.text ?? '') as unknown, tool).not.toThrow();
  if (tool === 'read_media')
    expect(more).toEqual([{ type: 'image', data: PNG.toString('base64'), mimeType: 'image/png' }]);
  else expect(more).toEqual([]);
}

let surroundings: Surroundings;
let serve: RunningMcpHttp;

beforeAll(async () => {
  surroundings = makeSurroundings();
  writeFileSync(join(surroundings.workspace, 'dot.png'), PNG);
  mkdirSync(join(surroundings.workspace, 'empty'));
  serve = await startMcpHttp([surroundings.workspace], surroundings);
});

afterAll(async () => {
  await serve?.stop();
  surroundings?.remove();
});

describe('every tool', () => {
  const eras: readonly Era[] = ['legacy', 'modern'];
  for (const era of eras) {
    for (const way of ['stdio', 'http'] as const) {
      it(`is listed and answers the official client over ${way} (${era})`, async () => {
        const to = way === 'http' ? serve : { args: ['mcp', surroundings.workspace], env: surroundings.env };
        const { client, received, close } = await connect(era, to);
        try {
          expect(client.getNegotiatedProtocolVersion()).toBe(era === 'modern' ? '2026-07-28' : '2025-11-25');
          expect(client.getServerVersion()?.name).toBe('croft');
          expect(client.getInstructions()).toContain('directory workspace');
          await callEverything(client as unknown as AnyClient, received, `${era}-${way}`);
        } finally {
          await close();
        }
      });
    }
  }

  for (const way of ['stdio', 'http'] as const) {
    it(`is listed and answers a client of the first SDK over ${way}`, async () => {
      const client = new FirstClient({ name: 'first', version: '1' });
      const headers = { Authorization: `Bearer ${serve.token}` };
      const transport =
        way === 'stdio'
          ? new FirstStdio({
              command: process.execPath,
              args: [PROGRAM, 'mcp', surroundings.workspace],
              env: surroundings.env,
            })
          : new FirstHttp(new URL(`${serve.url}/mcp`), { requestInit: { headers } });
      await client.connect(transport as never);
      const received: WireMessage[] = [];
      const inner = transport.onmessage as ((message: unknown) => void) | undefined;
      transport.onmessage = (message: unknown) => {
        received.push(message as WireMessage);
        inner?.(message);
      };
      try {
        await callEverything(client as unknown as AnyClient, received, `first-${way}`);
      } finally {
        await client.close();
      }
    });
  }

  it('has correct annotations', async () => {
    const { client, close } = await connect('modern', serve);
    try {
      const { tools } = await client.listTools();
      const where = (hint: 'readOnlyHint' | 'destructiveHint') =>
        tools
          .filter((tool) => tool.annotations?.[hint])
          .map((tool) => tool.name)
          .sort();
      expect(where('readOnlyHint')).toEqual(toolNames('full', { readOnly: true }));
      expect(where('destructiveHint')).toEqual(['delete_path', 'edit_file', 'write_file']);
      for (const tool of tools) {
        expect(tool.annotations?.openWorldHint).toBe(false);
        expect(tool.annotations?.title).toBe(tool.title);
        expect(tool.inputSchema.additionalProperties, `${tool.name} takes no unknown argument`).toBe(false);
        if (tool.outputSchema) expect(tool.outputSchema.type).toBe('object');
      }
    } finally {
      await close();
    }
  });
});

describe('a call that cannot be done', () => {
  const bad: readonly { what: string; name: string; input: unknown; says: RegExp }[] = [
    {
      what: 'an unknown tool',
      name: 'constructor',
      input: {},
      says: /Unknown tool: constructor\. Available tools: read_file/,
    },
    { what: 'a missing argument', name: 'read_file', input: {}, says: /path/ },
    { what: 'an unknown argument', name: 'read_file', input: { path: 'a', shell: 'ls' }, says: /shell/ },
    { what: 'a wrongly typed argument', name: 'read_file', input: { path: ['a'] }, says: /path/ },
    { what: 'no arguments at all', name: 'delete_path', input: undefined, says: /path/ },
    { what: 'a missing file', name: 'read_file', input: { path: 'nope.txt' }, says: /nope\.txt/ },
    {
      what: 'a path outside',
      name: 'write_file',
      input: { path: '/etc/croft-test', content: '' },
      says: /outside|absolute|\/etc\/croft-test/i,
    },
  ];

  for (const way of ['stdio', 'http'] as const) {
    it(`is a result that the model can read, without host paths, over ${way}`, async () => {
      const to = way === 'http' ? serve : { args: ['mcp', surroundings.workspace], env: surroundings.env };
      const { client, close } = await connect('legacy', to);
      try {
        for (const { what, name, input, says } of bad) {
          const result = (await client.callTool({ name, arguments: input } as never)) as AnyResult;
          expect(result.isError, what).toBe(true);
          const text = result.content?.[0]?.text ?? '';
          expect(text, what).toMatch(says);
          expect(text, what).not.toContain(surroundings.root);
        }
      } finally {
        await close();
      }
    });
  }
});
