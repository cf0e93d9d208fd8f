import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as FirstHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  connect,
  type Era,
  makeSurroundings,
  type RunningMcpHttp,
  startMcpHttp,
  type Surroundings,
} from './testing.ts';

let surroundings: Surroundings;
let serve: RunningMcpHttp | undefined;

beforeEach(() => {
  surroundings = makeSurroundings();
  writeFileSync(at('a.txt'), 'old');
});

afterEach(async () => {
  await serve?.stop();
  serve = undefined;
  surroundings.remove();
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

/** A client whose person gives one answer to every question. Collects the questions. */
async function withPerson(era: Era, to: Parameters<typeof connect>[1], answer: Answer) {
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
  const eras: readonly Era[] = ['legacy', 'modern'];

  it.each(eras)('asks the person and runs the call after a yes (%s)', async (era) => {
    const { client, asked, close } = await withPerson(
      era,
      { args: args(), env: surroundings.env },
      { action: 'accept', content: { allow: true } },
    );
    try {
      await client.listTools();
      expect((await call(client, 'write_file', { path: 'a.txt', content: 'new' })).isError ?? false).toBe(false);
      expect(
        (await call(client, 'edit_file', { path: 'a.txt', old_string: 'new', new_string: 'newer' })).isError ?? false,
      ).toBe(false);
      expect(readFileSync(at('a.txt'), 'utf8')).toBe('newer');
      expect((await call(client, 'delete_path', { path: 'a.txt' })).isError ?? false).toBe(false);
      expect(existsSync(at('a.txt'))).toBe(false);
      expect(asked).toEqual(['Overwrite a.txt?', 'Edit a.txt?', 'Delete the file a.txt?']);
    } finally {
      await close();
    }
  });

  it('asks the person of a client with the first official SDK over HTTP', async () => {
    serve = await startMcpHttp(args().slice(1), surroundings);
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

  const noes: readonly { what: string; answer: Answer }[] = [
    { what: 'declines', answer: { action: 'decline' } },
    { what: 'closes the question', answer: { action: 'cancel' } },
    { what: 'agrees to a form without looking at it', answer: { action: 'accept' } },
    { what: 'leaves the box empty', answer: { action: 'accept', content: { allow: false } } },
  ];
  it.each(eras.flatMap((era) => noes.map((no) => ({ era, ...no }))))(
    'changes nothing when the person $what ($era)',
    async ({ era, answer }) => {
      const { client, asked, close } = await withPerson(era, { args: args(), env: surroundings.env }, answer);
      try {
        const refused = await call(client, 'write_file', { path: 'a.txt', content: 'new' });
        expect(refused.isError).toBe(true);
        expect(refused.content[0]?.text).toContain('declined');
        expect(readFileSync(at('a.txt'), 'utf8')).toBe('old');
        expect(asked).toHaveLength(1);
      } finally {
        await close();
      }
    },
  );

  it.each(eras)('does not ask if nothing can be lost (%s)', async (era) => {
    const { client, asked, close } = await withPerson(
      era,
      { args: args(), env: surroundings.env },
      { action: 'decline' },
    );
    try {
      expect((await call(client, 'write_file', { path: 'fresh.txt', content: 'x' })).isError ?? false).toBe(false);
      expect(
        (await call(client, 'edit_file', { path: 'a.txt', old_string: 'old', new_string: 'x', dry_run: true }))
          .isError ?? false,
      ).toBe(false);
      expect((await call(client, 'append_file', { path: 'a.txt', content: '+' })).isError ?? false).toBe(false);
      expect((await call(client, 'delete_path', { path: 'missing.txt' })).isError).toBe(true);
      expect(asked).toEqual([]);
    } finally {
      await close();
    }
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
      if (way === 'http')
        serve = await startMcpHttp([surroundings.workspace, '--confirm', 'destructive'], surroundings);
      const { client, close } = await connect(era, serve ?? { args: args(), env: surroundings.env });
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
    const { client, close } = await connect('modern', { args: args(), env: surroundings.env });
    try {
      const preview = await call(client, 'delete_path', { path: 'a.txt' });
      const { confirm_token } = JSON.parse(preview.content[0]?.text ?? '') as Record<string, string>;
      writeFileSync(at('a.txt'), 'changed by somebody');
      expect((await call(client, 'delete_path', { path: 'a.txt', confirm_token })).isError).toBe(true);
      expect(readFileSync(at('a.txt'), 'utf8')).toBe('changed by somebody');
    } finally {
      await close();
    }
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

  it.each(eras)('asks over HTTP too (%s)', async (era) => {
    serve = await startMcpHttp([surroundings.workspace, '--confirm', 'destructive'], surroundings);
    const { client, asked, close } = await withPerson(era, serve, { action: 'accept', content: { allow: true } });
    try {
      expect((await call(client, 'write_file', { path: 'a.txt', content: 'new' })).isError ?? false).toBe(false);
      expect(asked).toEqual(['Overwrite a.txt?']);
    } finally {
      await close();
    }
  });

  it.each(eras)('changes nothing over HTTP when the person declines (%s)', async (era) => {
    serve = await startMcpHttp([surroundings.workspace, '--confirm', 'destructive'], surroundings);
    const { client, asked, close } = await withPerson(era, serve, { action: 'decline' });
    try {
      expect((await call(client, 'delete_path', { path: 'a.txt' })).isError).toBe(true);
      expect(readFileSync(at('a.txt'), 'utf8')).toBe('old');
      expect(asked).toEqual(['Delete the file a.txt?']);
    } finally {
      await close();
    }
  });
});
