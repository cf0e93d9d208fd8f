import { describe, expect, it } from 'vitest';
import type { Decision, ObservedCall } from '../decision.ts';
import { ALLOW, BLOCK } from '../testing.ts';
import { createMcpFilter, type McpFilterOptions } from './mcp-filter.ts';

const judge = ({ arguments: args }: ObservedCall): Decision => (String(args).includes('/etc') ? BLOCK : ALLOW);
const call = (id: unknown, path: string, more: object = {}) =>
  Buffer.from(
    `${JSON.stringify({ jsonrpc: '2.0', ...(id !== undefined && { id }), method: 'tools/call', params: { name: 'w', arguments: { path }, ...more } })}\n`,
  );
const initialize = (name: string) =>
  Buffer.from(
    `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { clientInfo: { name, version: '1' } } })}\n`,
  );

function open(options: Partial<McpFilterOptions> = {}) {
  const decided: string[] = [];
  const filter = createMcpFilter({
    judge,
    mode: 'enforce',
    onDecision: ({ rule }, tool, caller) => decided.push(`${rule} ${tool} ${caller}`),
    ...options,
  });
  const line = (text: Buffer) => {
    const { forward, answer } = filter.line(text);
    return {
      forward: forward?.toString(),
      answer: answer
        ?.split('\n')
        .filter(Boolean)
        .map((one) => JSON.parse(one) as Record<string, any>),
    };
  };
  return { filter, decided, line };
}

describe('a line of the client', () => {
  it('passes unchanged if it is not a blocked call', () => {
    const { line, decided } = open();
    for (const text of [
      initialize('cline'),
      call(2, 'a'),
      Buffer.from('{"jsonrpc":"2.0","id":3,"method":"tools/list"}\n'),
    ])
      expect(line(text)).toEqual({ forward: text.toString(), answer: undefined });
    expect(decided).toEqual(['allowed w cline']);
  });

  it('that is a blocked call gets a tool error, and is not forwarded', () => {
    const { line, decided } = open();
    const { forward, answer } = line(call('x', '/etc/x'));
    expect([forward, answer]).toEqual([
      undefined,
      [
        {
          jsonrpc: '2.0',
          id: 'x',
          result: {
            content: [{ type: 'text', text: expect.stringContaining('outside the project directory') as string }],
            isError: true,
          },
        },
      ],
    ]);
    expect(decided).toEqual(['outside-path w undefined']);
  });

  it('of the newer protocol gets a result with its type', () => {
    const meta = { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } };
    expect(open().line(call(1, '/etc/x', meta)).answer?.[0]?.['result'].resultType).toBe('complete');
  });

  it('that is a blocked notification gets no answer', () => {
    expect(open().line(call(undefined, '/etc/x'))).toEqual({ forward: undefined, answer: undefined });
  });

  it('that can be read in two ways is refused, and passes in a dry run', () => {
    const twice = Buffer.from('{"jsonrpc":"2.0","id":1,"id":2,"method":"tools/call","params":{"name":"w"}}\n');
    const { line, decided } = open();
    const refused = line(twice);
    expect(refused.forward).toBeUndefined();
    expect(refused.answer?.every((one) => one['error'] !== undefined)).toBe(true);
    expect(refused.answer?.length).toBeGreaterThan(0);
    expect(decided).toEqual(['ambiguous-arguments  undefined']);
    expect(open({ mode: 'dry-run' }).line(twice).forward).toBe(twice.toString());
  });

  it('passes in a dry run and when the guard is off', () => {
    const blocked = call(1, '/etc/x');
    const dry = open({ mode: 'dry-run' });
    expect([dry.line(blocked).forward, dry.decided]).toEqual([blocked.toString(), ['outside-path w undefined']]);
    const off = open({ mode: 'off' });
    expect([off.line(blocked).forward, off.decided]).toEqual([blocked.toString(), []]);
  });
});

describe('a failure', () => {
  it.each<[string, Partial<McpFilterOptions>]>([
    [
      'of the judge',
      {
        judge: () => {
          throw new Error('secret');
        },
      },
    ],
    ['of the judge to decide', { judge: () => ({ decision: 'maybe' }) as never }],
    ['of the judge to answer', { judge: () => undefined as never }],
  ])('%s blocks the call', (_, options) => {
    const { line, decided } = open(options);
    expect(JSON.stringify(line(call(1, 'a')))).toContain('The guard failed while it judged this call');
    expect(decided).toEqual(['failure w undefined']);
  });

  it('of the log does not change the decision', () => {
    const { line } = open({
      onDecision: () => {
        throw new Error('full');
      },
    });
    expect(line(call(1, 'a')).forward).toBe(call(1, 'a').toString());
    expect(line(call(1, '/etc/x')).answer).toHaveLength(1);
  });
});

it('refuses a line that is too large, with its id if that is known', () => {
  const { filter, decided } = open();
  const answer = JSON.parse(filter.tooLarge({ id: '7' } as never).answer ?? '') as Record<string, any>;
  expect(answer).toMatchObject({ jsonrpc: '2.0', id: 7, error: { code: -32_600 } });
  expect(answer['error'].message).toContain('The message is too large to be checked');
  expect(answer['error'].message).toContain('Send less at once.');
  expect(filter.tooLarge({ id: undefined } as never)).toEqual({});
  expect(decided).toEqual(['too-large  undefined', 'too-large  undefined']);
});

it('says of a line that is too large that it passes in no mode, also in a dry run', () => {
  const told: unknown[] = [];
  const onDecision: McpFilterOptions['onDecision'] = ({ rule }, _, caller, isDropped) =>
    void told.push([rule, caller, isDropped]);
  const filter = createMcpFilter({ judge, mode: 'dry-run', onDecision });
  expect(filter.tooLarge({ id: '7' }).forward).toBeUndefined();
  filter.line(call(1, '/etc/x'));
  expect(told).toEqual([
    ['too-large', undefined, true],
    ['outside-path', undefined, undefined],
  ]);
});
