import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { captureOutput } from '../../../../tests/support/capture-output.ts';
import { testDir } from '../../../../tests/support/temp-dir.ts';
import type { ChatFlags } from './chat-flags.ts';
import { runChat } from './chat-session.ts';

const BUILD = 'build a flow that reads notes.md from my workspace and shows `notes.md has N words`, then run it';
let dir: string;
let file: string;
let output: { out: string; err: string };
beforeEach(() => {
  dir = testDir();
  file = join(dir, 'flow.json');
  writeFileSync(join(dir, 'notes.md'), 'one two three');
  output = captureOutput();
  process.exitCode = undefined;
  vi.stubEnv('CROFT_BASE_DIR', join(testDir(), 'base'));
  for (const name of Object.keys(process.env)) if (name.endsWith('_API_KEY')) vi.stubEnv(name, undefined);
  vi.stubEnv('OLLAMA_BASE_URL', '');
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});
const chat = (message: readonly string[], flags: Partial<ChatFlags> = {}) =>
  runChat(file, { allowHost: [], allowCommand: [], credential: [], message, ...flags });

describe('croft chat about a file', () => {
  it('builds and runs a flow with --yes', async () => {
    await chat([BUILD], { yes: true });
    expect(output.out).toContain('notes.md has 3 words');
    expect(JSON.parse(readFileSync(file, 'utf8')).nodes.length).toBeGreaterThan(1);
    expect(process.exitCode).toBe(0);
  });

  it('changes nothing without a person or --yes, and says so', async () => {
    await chat(['build a flow that summarises notes.md']);
    expect(existsSync(file)).toBe(false);
    expect(output.err).toContain('Not changed: without a terminal, --yes accepts what is proposed.\n');
    expect(process.exitCode).toBe(1);
  });

  it('prints events with --json, and no texts for a person', async () => {
    await chat([BUILD], { yes: true, json: true });
    const events = output.out
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { event: string }).event);
    expect([events[0], events.at(-1)]).toEqual(['turn', 'complete']);
    expect(events.filter((event) => event === 'complete')).toHaveLength(1);
    expect(output.err).toBe('');
  });

  it('carries out commands, leaves out blank messages, and ends at /quit', async () => {
    await chat(['  ', '/help', '/quit', BUILD], { yes: true });
    expect(output.err).toContain('/skip-all');
    expect(output.out).toBe('');
    expect(existsSync(file)).toBe(false);
    expect(process.exitCode).toBeUndefined();
  });

  it('ends with code 1 where the message could not be carried out', async () => {
    await chat(['run it'], { yes: true });
    expect(process.exitCode).toBe(1);
  });

  it('asks before it removes components', async () => {
    await chat([BUILD], { yes: true });
    const before = readFileSync(file, 'utf8');
    await chat(['build a flow that reads notes.md from my workspace and shows `N words`']);
    expect(readFileSync(file, 'utf8')).toBe(before);
  });
});

describe('croft chat about a flow of a server', () => {
  it('takes --flow only with --server', async () => {
    await expect(chat(['x'], { flow: 'f' })).rejects.toThrow('--flow is for --server');
  });

  it('asks the server without a slash at the end of its address, and deletes a new flow that stays empty', async () => {
    vi.stubEnv('CROFT_API_KEY', 'k');
    const asked: string[] = [];
    const turn = [
      { event: 'turn', turn_id: 't', session_id: 's', model: 'm' },
      { event: 'question', id: 'q', kind: 'effects', text: 'Run?', choices: ['Run', 'No'], default: 'No' },
      { event: 'cancelled', status_line: '', usage: { total_tokens: 0 }, duration_seconds: 0 },
      { event: 'token', chunk: 'too late' },
    ];
    vi.spyOn(globalThis, 'fetch').mockImplementation(async (url, init) => {
      const path = (url as string).replace('http://s/api/v1', '');
      asked.push(`${init?.method} ${path} ${path.endsWith('/answer') ? String(init?.body as string) : ''}`.trim());
      if (path.endsWith('/stream'))
        return new Response(turn.map((each) => `data: ${JSON.stringify(each)}\n\n`).join(''));
      return Response.json({ flow: { id: 'f', document: { nodes: [] } } });
    });
    await chat(['hello'], { server: 'http://s//' });
    expect(asked).toEqual([
      'POST /flows',
      'POST /agentic/assist/stream',
      'POST /agentic/turns/t/answer {"id":"q","choice":"No"}',
      'GET /flows/f',
      'DELETE /flows/f',
    ]);
    expect(output.err).toMatch(/^New flow f: http:\/\/s\/flows\/f\n/);
    expect(output.err).toMatch(/Deleted the new flow f: it is empty\.\n$/);
    expect(output.out).not.toContain('too late');
    expect(process.exitCode).toBe(130);
    asked.length = 0;
    await chat(['hello'], { server: 'http://s', flow: 'f', yes: true });
    expect(asked).toContain('POST /agentic/turns/t/answer {"id":"q","choice":"Run"}');
  });
});
