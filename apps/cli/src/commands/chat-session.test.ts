import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { EDIT_CONTINUATION_INPUT, PLAN_APPROVAL_INPUT } from '@croft/assistant';
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

describe('a person at a terminal', () => {
  it('writes again when the flow file is valid again', async () => {
    writeFileSync(file, '{');
    const input = Object.assign(new PassThrough(), { isTTY: true });
    vi.spyOn(process, 'stdin', 'get').mockReturnValue(input as never);
    const chatting = chat([]);
    await expect.poll(() => output.err).toContain('Ctrl-C ends.');
    input.write('run it\n');
    await expect.poll(() => process.exitCode).toBe(1);
    expect(output.err).toContain('flow.json');
    rmSync(file);
    input.write(`${BUILD}\n`);
    await expect.poll(() => output.err).toContain('the run completed');
    input.end();
    await chatting;
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

describe('what the assistant of a server proposes', () => {
  const usage = { input_tokens: 0, output_tokens: 0, total_tokens: 0 };
  const turn = { event: 'turn', turn_id: 't', session_id: 's', model: 'm' };
  const end = { status_line: 'Done.', usage, duration_seconds: 0 };
  const complete = (more: object = {}) => ({
    event: 'complete',
    data: { ...end, result: 'ok', outcome: 'done', continuation_expected: false, ...more },
  });
  const field = {
    event: 'flow_update',
    action: 'edit_field',
    id: 'e',
    component_id: 'A',
    field: 'f',
    old_value: 1,
    new_value: 2,
    description: 'Set f of A to 2',
  };
  const plan = { event: 'flow_update', action: 'propose_plan', id: 'p', markdown: '1. Build' };
  const flow = (more: object = {}) => ({
    event: 'flow_update',
    action: 'set_flow',
    id: 'f',
    name: 'Report',
    flow: { nodes: [], edges: [] },
    node_count: 0,
    edge_count: 0,
    auto_apply: false,
    ...more,
  });

  /** Answers messages with these turns; returns the messages and decisions that the server got. */
  function serve(turns: readonly (readonly object[])[], refusal?: string) {
    vi.stubEnv('CROFT_API_KEY', 'k');
    const got: string[] = [];
    const waiting = [...turns];
    vi.spyOn(globalThis, 'fetch').mockImplementation(async (url, init) => {
      const body = JSON.parse((init?.body as string | undefined) ?? '{}') as Record<string, string>;
      const path = (url as string).replace('http://s/api/v1', '');
      if (path.endsWith('/stream')) {
        got.push(`says ${body['input_value']}`);
        const events = [turn, ...(waiting.shift() ?? [])];
        return new Response(events.map((each) => `data: ${JSON.stringify(each)}\n\n`).join(''));
      }
      got.push(path.endsWith('/answer') ? `decides ${body['id']} ${body['choice']}` : `${init?.method} ${path}`);
      if (refusal !== undefined) return Response.json({ error: { message: refusal } }, { status: 409 });
      return Response.json({});
    });
    return got;
  }
  const talk = (messages: readonly string[], flags: Partial<ChatFlags> = {}) =>
    chat(messages, { server: 'http://s', flow: 'x', ...flags });

  it.each([
    ['a field', [field], ['decides e accept'], 'Changed.'],
    ['a flow', [flow()], ['decides f add'], 'Added to the flow.'],
    ['a flow that cannot be added', [flow({ no_add: 'Both have an A.' })], ['decides f replace'], 'Replaced the flow.'],
    ['two fields', [field, { ...field, id: 'e2' }], ['decides e accept', 'decides e2 accept'], 'Changed.\nChanged.'],
  ])('is used with --yes: %s', async (_, proposals, decisions, said) => {
    const got = serve([[...proposals, complete()]]);
    await talk(['go'], { yes: true });
    expect(got).toEqual(['says go', ...decisions]);
    expect(output.err).toMatch(new RegExp(`\\n${said}\\n$`));
    expect(process.exitCode).toBe(0);
    output.err = '';
    const again = serve([[...proposals, complete()]]);
    await talk(['go'], { yes: true, json: true });
    expect([again, output.err]).toEqual([got, '']);
  });

  it('continues after a plan or accepted edits, where the assistant expects it', async () => {
    const got = serve([
      [plan, complete()],
      [complete()],
      [field, complete({ continuation_expected: true })],
      [complete()],
    ]);
    await talk(['plan it', 'edit it'], { yes: true });
    expect(got).toEqual([
      'says plan it',
      `says ${PLAN_APPROVAL_INPUT}`,
      'says edit it',
      'decides e accept',
      `says ${EDIT_CONTINUATION_INPUT}`,
    ]);
    expect(output.err).toContain('Going on.\n');
    const refused = serve([[field, complete({ continuation_expected: true })]]);
    await talk(['edit it']);
    expect([refused, process.exitCode]).toEqual([['says edit it'], 1]);
  });

  it('is reported where the server refuses the decision, and the chat goes on', async () => {
    const got = serve([[field, complete({ continuation_expected: true })], [complete()]], 'The flow has changed.');
    await talk(['edit it', 'again'], { yes: true });
    expect(got).toEqual(['says edit it', 'decides e accept', 'says again']);
    expect(output.err).toContain('The flow has changed.\n');
    expect(output.err).not.toContain('Changed.\n');
  });

  it.each([
    ['complete', [complete()], 0],
    ['partly done', [complete({ outcome: 'partly_done' })], 1],
    ['a failed call before the end', [{ event: 'tool_end', tool: 't', ok: false }, complete()], 1],
    [
      'a failed call that was repeated',
      [{ event: 'tool_end', tool: 't', ok: false }, { event: 'tool_end', tool: 't', ok: true }, complete()],
      0,
    ],
    ['a failed run', [{ event: 'run_finished', run_id: 'r', status: 'failed', text: '' }, complete()], 1],
    ['an error', [{ event: 'error', message: 'No model', ...end }], 1],
    ['cancelled', [{ event: 'cancelled', message: '', ...end }], 130],
  ])('ends with a code for %s', async (_, events, code) => {
    serve([events]);
    await talk(['go']);
    expect(process.exitCode).toBe(code);
  });

  describe('to a person at a terminal', () => {
    /** A terminal; `answer` waits for a text on it before it types. */
    function openTerminal() {
      const input = Object.assign(new PassThrough(), { isTTY: true });
      vi.spyOn(process, 'stdin', 'get').mockReturnValue(input as never);
      return {
        type: (text: string) => input.write(text),
        end: () => input.end(),
        answer: async (text: string, typed: string) => {
          await expect.poll(() => output.err).toContain(text);
          output.err = '';
          input.write(`${typed}\n`);
        },
      };
    }

    it('waits for a decision', async () => {
      const got = serve([
        [field, flow(), complete()],
        [flow({ no_add: 'Both have an A.' }), complete()],
        [plan, complete()],
      ]);
      const { answer, end: endInput } = openTerminal();
      const chatting = talk([]);
      await answer('http://s/flows/x. Write what the flow should do. /help lists commands, Ctrl-C ends.\n', 'go');
      await answer('Set f of A to 2? [y] accept / [n] dismiss (Enter: dismiss) ', 'y');
      await answer('Put Report into the flow? [y] add / [r] replace / [n] dismiss (Enter: dismiss) ', 'r');
      await answer('Replaced the flow.\n', 'more');
      await answer('Put Report into the flow? Both have an A. [y] replace / [n] dismiss (Enter: dismiss) ', 'n');
      await answer('Not changed.\n', 'plan');
      await answer('Go on with this plan? [y] continue / [n] dismiss (Enter: dismiss) ', '');
      await expect.poll(() => output.err).toContain('Not changed.\n');
      endInput();
      await chatting;
      expect(got).toEqual([
        'says go',
        'decides e accept',
        'decides f replace',
        'says more',
        'decides f dismiss',
        'says plan',
      ]);
    });

    it('goes on after a message that was refused or whose reply was lost', async () => {
      serve([]);
      const failures = [
        () => Response.json({ error: { message: 'Another message is being answered.' } }, { status: 429 }),
        () => Promise.reject(new Error('refused')),
        () => new Response(new ReadableStream({ pull: (controller) => controller.error(new TypeError('terminated')) })),
      ];
      vi.mocked(globalThis.fetch).mockImplementation(
        async () => failures.shift()?.() ?? new Response(`data: ${JSON.stringify(complete())}\n\n`),
      );
      const { answer, end: endInput } = openTerminal();
      const chatting = talk([]);
      await answer('Ctrl-C ends.', 'one');
      await answer('Another message is being answered.\n', 'two');
      await answer('No server answers at http://s.', 'three');
      expect(process.exitCode).toBe(1);
      await answer('The connection to http://s ended before the reply did.', 'four');
      await expect.poll(() => process.exitCode).toBe(0);
      endInput();
      await chatting;
    });

    it('ends at a failure of a message of the command line', async () => {
      const got = serve([]);
      vi.mocked(globalThis.fetch).mockImplementation(async () => {
        got.push('asked');
        return Response.json({ error: { message: 'Another message is being answered.' } }, { status: 429 });
      });
      openTerminal();
      await expect(talk(['one', 'two'])).rejects.toThrow('Another message is being answered.');
      expect(got).toEqual(['asked']);
    });

    it('asks a question with its default, and ends at Ctrl-C', async () => {
      const question = { event: 'question', id: 'q', kind: 'question', text: 'Which?', choices: ['one', 'two'] };
      const got = serve([[question, complete()]]);
      const exit = vi.spyOn(process, 'exit').mockImplementation((() => undefined) as never);
      const { answer, type, end: endInput } = openTerminal();
      const chatting = talk([]);
      await answer('Ctrl-C ends.', 'go');
      await answer('Which? [1] one / [2] two (Enter: two; or write another answer) ', 'a third');
      await expect.poll(() => output.err).toContain('> ');
      type('\u0003');
      await expect.poll(() => exit.mock.calls).toEqual([[130]]);
      type('\u0003');
      // The second one ends the process at once. Here it continues, and waits for the end of the chat as well.
      await expect.poll(() => exit.mock.calls).toEqual([[130], [130], [130]]);
      endInput();
      await chatting;
      expect(got).toEqual(['says go', 'decides q a third']);
    });

    it('stops a reply at Ctrl-C without an answer to its question', async () => {
      const question = {
        event: 'question',
        id: 'q',
        kind: 'plan',
        text: 'Go on?',
        choices: ['Yes', 'No'],
        default: 'No',
      };
      const got = serve([[question, { event: 'cancelled', message: '', ...end }]]);
      const { answer, type, end: endInput } = openTerminal();
      const chatting = talk([]);
      await answer('Ctrl-C ends.', 'go');
      await expect.poll(() => output.err).toContain('Go on? [y] Yes / [n] No (Enter: No) ');
      type('\u0003');
      await expect.poll(() => output.err).toContain('Stopped.');
      endInput();
      await chatting;
      expect(got).toEqual(['says go', 'POST /agentic/turns/t/cancel']);
      expect(process.exitCode).toBe(130);
    });
  });
});
