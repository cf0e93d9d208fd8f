import type { AnyTool, ToolResult } from '@croft/tools';
import { describe, expect, it } from 'vitest';
import { toMcpResult } from './to-mcp-result.ts';

const RECORD = { structured: true, output: {} } as unknown as AnyTool;
const LONG = { structured: false, output: {} } as unknown as AnyTool;
const result = (data: Record<string, unknown>, more: Partial<ToolResult> = {}): ToolResult => ({
  ok: true,
  data,
  ...more,
});
const text = (value: string) => ({ type: 'text', text: value });

describe('the result of a tool', () => {
  it('is a record with one sentence that says the same', () => {
    const data = { status: 'created', path: 'a.md', bytes_written: 42, tags: ['x'] };
    expect(toMcpResult(RECORD, result(data))).toEqual({
      content: [text('created a.md (bytes_written 42, tags ["x"])')],
      structuredContent: data,
    });
    const moved = { status: 'moved', source: 'a', destination: 'b' };
    expect(toMcpResult(RECORD, result(moved)).content).toEqual([text('moved a → b')]);
    expect(toMcpResult(RECORD, result(data, { text: 'Own words' })).content).toEqual([text('Own words')]);
  });

  it('is content alone where it is long, or asks the person', () => {
    const data = { content: 'x' };
    expect(toMcpResult(LONG, result(data))).toEqual({ content: [text('{"content":"x"}')] });
    expect(toMcpResult(undefined, result(data))).toEqual({ content: [text('{"content":"x"}')] });
    const question = toMcpResult(
      RECORD,
      result({ status: 'confirmation_required', token: 't' }, { forModelOnly: true }),
    );
    expect(question).toEqual({
      content: [
        { ...text('{"status":"confirmation_required","token":"t"}'), annotations: { audience: ['assistant'] } },
      ],
    });
  });

  it('has media in the form of MCP', () => {
    const image = { type: 'image', data: 'aGk=', mimeType: 'image/png' } as const;
    const file = { type: 'resource', uri: 'u', data: 'aGk=', mimeType: 'x/y' } as const;
    const media = [image, { type: 'resource', resource: { uri: 'u', mimeType: 'x/y', blob: 'aGk=' } }];
    expect(toMcpResult(LONG, result({}, { media: [image, file] })).content.slice(1)).toEqual(media);
    expect(toMcpResult(RECORD, result({ status: 'ok' }, { media: [image] })).content).toHaveLength(2);
  });

  it('is an error with the envelope, without a record', () => {
    expect(toMcpResult(RECORD, { ok: false, data: { error: 'no' } })).toEqual({
      content: [text('{"error":"no"}')],
      isError: true,
    });
  });
});
