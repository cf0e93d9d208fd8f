import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as FirstHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { connect, type Connected, type Era, initialize, makeSurroundings, openWire, startMcpHttp } from './testing.ts';

const ERAS: readonly Era[] = ['legacy', 'modern'];

let surroundings: ReturnType<typeof makeSurroundings>;
let serve: Awaited<ReturnType<typeof startMcpHttp>>;
/** Clients of programs over stdio: those whose person answers every question with `answer`, and those that cannot ask. */
let people: Record<Era, Awaited<ReturnType<typeof withPerson>>>;
let machines: Record<Era, Connected>;
let answer: Answer;

beforeAll(async () => {
  surroundings = makeSurroundings();
  serve = await startMcpHttp(args().slice(1), surroundings);
  const program = { args: args(), env: surroundings.env };
  people = { legacy: await withPerson('legacy', program), modern: await withPerson('modern', program) };
  machines = { legacy: await connect('legacy', program), modern: await connect('modern', program) };
});

afterAll(async () => {
  for (const each of [people, machines]) for (const era of ERAS) await each?.[era].close();
  await serve?.stop();
  surroundings?.remove();
});

beforeEach(() => {
  for (const name of readdirSync(surroundings.workspace)) rmSync(at(name), { recursive: true });
  writeFileSync(at('a.txt'), 'old');
  for (const era of ERAS) people[era].asked.length = 0;
});

const at = (name: string) => join(surroundings.workspace, name);
const args = () => ['mcp', surroundings.workspace, '--confirm', 'destructive'];

interface Result {
  readonly isError?: boolean;
  readonly content: { text: string }[];
  readonly structuredContent?: Record<string, unknown>;
}

const call = async (client: Client, name: string, input: object) =>
  (await client.callTool({ name, arguments: { ...input } })) as unknown as Result;

type Answer = { action: 'accept' | 'decline' | 'cancel'; content?: { allow: boolean } };

/** A client whose person gives `answer` to every question. Collects the questions. */
async function withPerson(era: Era, to: Parameters<typeof connect>[1]) {
  const asked: string[] = [];
  const connected = await connect(era, to, { capabilities: { elicitation: {} } }, (client) => {
    client.setRequestHandler('elicitation/create', (request) => {
      asked.push(request.params.message);
      return answer;
    });
  });
  return { ...connected, asked };
}

describe('--confirm destructive', () => {
  it.each(ERAS)('asks the person and runs the call after a yes (%s)', async (era) => {
    const { client, asked } = people[era];
    answer = { action: 'accept', content: { allow: true } };
    await client.listTools();
    expect((await call(client, 'write_file', { path: 'a.txt', content: 'new' })).isError ?? false).toBe(false);
    expect(
      (await call(client, 'edit_file', { path: 'a.txt', old_string: 'new', new_string: 'newer' })).isError ?? false,
    ).toBe(false);
    expect(readFileSync(at('a.txt'), 'utf8')).toBe('newer');
    expect((await call(client, 'delete_path', { path: 'a.txt' })).isError ?? false).toBe(false);
    expect(existsSync(at('a.txt'))).toBe(false);
    expect(asked).toEqual(['Overwrite a.txt?', 'Edit a.txt?', 'Delete the file a.txt?']);
  });

  it('asks the person of a client with the first official SDK over HTTP', async () => {
    const client = new FirstClient({ name: 'first', version: '1' }, { capabilities: { elicitation: {} } });
    const asked: string[] = [];
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      asked.push(params.message);
      return { action: 'accept' as const, content: { allow: asked.length === 1 } };
    });
    const headers = { Authorization: `Bearer ${serve.token}` };
    await client.connect(new FirstHttp(new URL(`${serve.url}/mcp`), { requestInit: { headers } }) as never);
    try {
      const write = (content: string) =>
        client.callTool({ name: 'write_file', arguments: { path: 'a.txt', content } }) as Promise<{
          isError?: boolean;
        }>;
      expect((await write('allowed')).isError ?? false).toBe(false);
      expect((await write('refused')).isError).toBe(true);
      expect(asked).toEqual(['Overwrite a.txt?', 'Overwrite a.txt?']);
      expect(readFileSync(at('a.txt'), 'utf8')).toBe('allowed');
    } finally {
      await client.close();
    }
  });

  it('refuses a call whose question the client cannot answer any more', async () => {
    const wire = openWire(args(), { env: surroundings.env });
    await initialize(wire, { elicitation: {} });
    wire.child.stdin?.end(
      JSON.stringify({
        jsonrpc: '2.0',
        id: 7,
        method: 'tools/call',
        params: { name: 'write_file', arguments: { path: 'a.txt', content: 'new' } },
      }),
    );
    expect(await wire.next(({ id, method }) => id === 7 && method === undefined)).toMatchObject({
      result: { isError: true },
    });
    expect((await wire.ended).code).toBe(0);
    expect(readFileSync(at('a.txt'), 'utf8')).toBe('old');
  });

  const noes: readonly { what: string; no: Answer }[] = [
    { what: 'declines', no: { action: 'decline' } },
    { what: 'closes the question', no: { action: 'cancel' } },
    { what: 'agrees to a form without looking at it', no: { action: 'accept' } },
    { what: 'leaves the box empty', no: { action: 'accept', content: { allow: false } } },
  ];
  it.each(ERAS.flatMap((era) => noes.map((each) => ({ era, ...each }))))(
    'changes nothing when the person $what ($era)',
    async ({ era, no }) => {
      const { client, asked } = people[era];
      answer = no;
      const refused = await call(client, 'write_file', { path: 'a.txt', content: 'new' });
      expect(refused.isError).toBe(true);
      expect(refused.content[0]?.text).toContain('declined');
      expect(readFileSync(at('a.txt'), 'utf8')).toBe('old');
      expect(asked).toHaveLength(1);
    },
  );

  it.each(ERAS)('does not ask if nothing can be lost (%s)', async (era) => {
    const { client, asked } = people[era];
    answer = { action: 'decline' };
    expect((await call(client, 'write_file', { path: 'fresh.txt', content: 'x' })).isError ?? false).toBe(false);
    expect(
      (await call(client, 'edit_file', { path: 'a.txt', old_string: 'old', new_string: 'x', dry_run: true })).isError ??
        false,
    ).toBe(false);
    expect((await call(client, 'append_file', { path: 'a.txt', content: '+' })).isError ?? false).toBe(false);
    expect((await call(client, 'delete_path', { path: 'missing.txt' })).isError).toBe(true);
    expect(asked).toEqual([]);
  });

  const withoutPerson = [
    { era: 'legacy', way: 'stdio' },
    { era: 'modern', way: 'stdio' },
    { era: 'legacy', way: 'http' },
    { era: 'modern', way: 'http' },
  ] as const;
  it.each(withoutPerson)(
    'shows a preview to a client that cannot ask, and accepts its token once ($way, $era)',
    async ({ era, way }) => {
      const { client, close } =
        way === 'http' ? await connect(era, serve) : { client: machines[era].client, close: async () => {} };
      try {
        // After tools/list, the client refuses results that do not match the schemas.
        await client.listTools();
        writeFileSync(at('b.txt'), 'new');
        mkdirSync(at('dir'));
        writeFileSync(at('dir/x'), '');
        for (const [name, input] of [
          ['write_file', { path: 'a.txt', content: 'new' }],
          ['edit_file', { path: 'a.txt', old_string: 'new', new_string: 'newer' }],
          ['delete_path', { path: 'dir', recursive: true }],
        ] as const) {
          const preview = await call(client, name, input);
          const { status, confirm_token, question } = JSON.parse(preview.content[0]?.text ?? '') as Record<
            string,
            string
          >;
          expect(status, name).toBe('confirmation_required');
          expect(question).toContain(input.path);
          const other = await call(client, name, { ...input, path: 'b.txt', confirm_token });
          expect(other.isError, `${name} with the token of another path`).toBe(true);
          const wrong = await call(client, name, { ...input, confirm_token: 'x'.repeat(32) });
          expect(wrong.isError).toBe(true);
          const done = await call(client, name, { ...input, confirm_token });
          expect(done.isError ?? false, JSON.stringify(done)).toBe(false);
        }
        expect(readFileSync(at('a.txt'), 'utf8')).toBe('newer');
        expect(readFileSync(at('b.txt'), 'utf8')).toBe('new');
        expect(existsSync(at('dir'))).toBe(false);
      } finally {
        await close();
      }
    },
  );

  it('refuses a token if the file changed after the preview', async () => {
    const { client } = machines.modern;
    const preview = await call(client, 'delete_path', { path: 'a.txt' });
    const { confirm_token } = JSON.parse(preview.content[0]?.text ?? '') as Record<string, string>;
    writeFileSync(at('a.txt'), 'changed by somebody');
    expect((await call(client, 'delete_path', { path: 'a.txt', confirm_token })).isError).toBe(true);
    expect(readFileSync(at('a.txt'), 'utf8')).toBe('changed by somebody');
  });

  it.each(['files', 'basic'] as const)('applies to the toolset %s as well', async (toolset) => {
    const { client, close } = await connect('legacy', {
      args: [...args(), '--toolset', toolset],
      env: surroundings.env,
    });
    try {
      const preview = await call(client, 'write_file', { path: 'a.txt', content: 'new' });
      expect(preview.content[0]?.text).toContain('confirm_token');
      expect(readFileSync(at('a.txt'), 'utf8')).toBe('old');
    } finally {
      await close();
    }
  });

  it.each(ERAS)('asks over HTTP too (%s)', async (era) => {
    answer = { action: 'accept', content: { allow: true } };
    const { client, asked, close } = await withPerson(era, serve);
    try {
      expect((await call(client, 'write_file', { path: 'a.txt', content: 'new' })).isError ?? false).toBe(false);
      expect(asked).toEqual(['Overwrite a.txt?']);
    } finally {
      await close();
    }
  });

  it.each(ERAS)('changes nothing over HTTP when the person declines (%s)', async (era) => {
    answer = { action: 'decline' };
    const { client, asked, close } = await withPerson(era, serve);
    try {
      expect((await call(client, 'delete_path', { path: 'a.txt' })).isError).toBe(true);
      expect(readFileSync(at('a.txt'), 'utf8')).toBe('old');
      expect(asked).toEqual(['Delete the file a.txt?']);
    } finally {
      await close();
    }
  });
});
