import type { LanguageModelV3CallOptions, LanguageModelV3Prompt } from '@ai-sdk/provider';
import { expect, it } from 'vitest';
import { replyTo, tooLongForRules } from './reply.ts';

const path = { path: { type: 'string', description: 'Path of the file.' } };
const offered = (name: string, description: string, properties: object = {}) => ({
  type: 'function' as const,
  name,
  description,
  inputSchema: { type: 'object', properties, required: Object.keys(properties) } as never,
});
const TOOLS = [offered('read_file', 'Reads a file.', path), offered('delete_file', 'Deletes a file.', path)];
const HELP = offered('show_help', 'Explains what can be asked.');

type Result = readonly [name: string, output: unknown, isError?: boolean];

/** The reply to a request after these calls. */
function reply(request: string, results: readonly Result[] = [], more: Partial<LanguageModelV3CallOptions> = {}) {
  const prompt: LanguageModelV3Prompt = [
    { role: 'user', content: [{ type: 'text', text: request }] },
    ...results.map(([toolName, value, isError]) => ({
      role: 'tool' as const,
      content: [
        {
          type: 'tool-result' as const,
          toolCallId: toolName,
          toolName,
          output: {
            type: isError === true ? ('error-text' as const) : typeof value === 'string' ? 'text' : 'json',
            value,
          } as never,
        },
      ],
    })),
  ];
  return replyTo({ prompt, tools: TOOLS, ...more });
}

it('calls the tool of each step, one after the other, and then gives all results', () => {
  const request = 'read a.txt and then delete b.txt';
  expect(reply(request)).toEqual({ text: '', calls: [{ id: 'call-1', name: 'read_file', input: { path: 'a.txt' } }] });
  const second = reply(request, [['read_file', 'hello']]);
  expect(second.calls).toEqual([{ id: 'call-2', name: 'delete_file', input: { path: 'b.txt' } }]);
  const done: Result[] = [
    ['read_file', 'hello'],
    ['delete_file', { summary: 'Deleted b.txt.', note: 'Undo is possible.' }],
  ];
  expect(reply(request, done)).toEqual({ text: 'read_file: hello\n\nDeleted b.txt.\n\nUndo is possible.', calls: [] });
  expect(reply('read a.txt', [['read_file', 'hello']]).text).toBe('hello');
});

it('does no further step after a failure, and says what failed', () => {
  const { text, calls } = reply('read a.txt and then delete b.txt', [['read_file', 'no such file', true]]);
  expect([text, calls]).toEqual(['read_file failed: no such file', []]);
  const later: Result[] = [
    ['read_file', { summary: 'Read a.txt.' }],
    ['delete_file', 'locked', true],
  ];
  expect(reply('read a.txt and then delete b.txt', later).text).toBe('Read a.txt.\n\ndelete_file failed: locked');
});

it('does the call that a result asks for, if the tool is offered', () => {
  const next = (tool: string) => [['read_file', { next: { tool, arguments: { path: 'c' } } }]] as Result[];
  expect(reply('read a.txt', next('delete_file')).calls).toEqual([
    { id: 'call-2', name: 'delete_file', input: { path: 'c' } },
  ]);
  expect(reply('read a.txt', next('other')).calls).toEqual([]);
});

it('ends the request where a result says so', () => {
  const { text, calls } = reply('read a.txt and then delete b.txt', [
    ['read_file', { text: 'cut', ends_request: true }],
  ]);
  expect([text, calls]).toEqual(['cut', []]);
});

it('repeats what it is asked to say', () => {
  expect(reply('Say "hello there"').text).toBe('hello there');
  expect(reply('please repeat exactly: one two').text).toBe('one two');
});

it('says what it is and what it did not understand', () => {
  expect(reply('Who are you?').text).toMatch(/^I am croft\/offline: .*Tools offered here: read_file, delete_file\.$/);
  expect(reply('Who are you?', [], { tools: [] }).text).toMatch(/No tool is offered here\.$/);
  expect(reply('sing a song').text).toMatch(/^I did not understand: "sing a song"\./);
  expect(reply('delete file').text).toMatch(/^To call delete_file I need `path`\./);
});

it('asks the tool for help, where one is offered', () => {
  const tools = [...TOOLS, HELP];
  expect(reply('sing a song', [], { tools }).calls).toEqual([
    { id: 'call-1', name: 'show_help', input: { not_understood: 'sing a song' } },
  ]);
  expect(reply('Who are you?', [], { tools }).calls).toEqual([{ id: 'call-1', name: 'show_help', input: {} }]);
  const half = reply('read a.txt and then sing a song and then delete b.txt', [['read_file', 'hello']], { tools });
  expect(half.calls[0]?.input).toEqual({ not_understood: 'sing a song', not_reached: 'delete b.txt' });
  const failed = reply('read a.txt and then delete b.txt', [['read_file', 'gone', true]], { tools });
  expect(failed.calls).toEqual([{ id: 'call-2', name: 'show_help', input: { not_reached: 'delete b.txt' } }]);
});

it("keeps what goes on in the user's own words in one step", () => {
  const own = { request: { type: 'string', description: "What to build, in the user's own words." } };
  const tools = [offered('build_flow', 'Builds a flow.', own), offered('run_flow', 'Runs a flow.')];
  const steps = (text: string) => reply(text, [], { tools }).calls[0]?.input;
  expect(steps('build a flow that reads a page and writes a summary')).toEqual({
    request: 'build a flow that reads a page and writes a summary',
  });
  expect(steps('build a flow that reads a page and run it')).toEqual({ request: 'build a flow that reads a page' });
});

it('refuses a request that is too long for its rules', () => {
  expect(tooLongForRules('x'.repeat(2_000))).toBeUndefined();
  expect(tooLongForRules('x'.repeat(2_001))).toMatch(/^I did nothing: this request has 2001 characters/);
  const { text, calls } = reply(`read a.txt ${'x'.repeat(2_000)}`);
  expect([text, calls]).toEqual([expect.stringMatching(/^I did nothing/), []]);
});

it('gives an object where one is asked for', () => {
  const schema = { type: 'object', properties: { name: { type: 'string' } } } as never;
  expect(reply('name: Ada', [], { responseFormat: { type: 'json', schema } }).text).toBe('{"name":"Ada"}');
});
