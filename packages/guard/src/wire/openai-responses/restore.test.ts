import { describe, expect, it } from 'vitest';
import { noteItem } from './notes.ts';
import { OpenCalls } from './open-calls.ts';
import { restoreRequest } from './restore.ts';

const restore = (request: string, open = new OpenCalls()): string =>
  restoreRequest(Buffer.from(request), open).toString();
const note = noteItem('Refused: “x”.', '0');

describe('a request', () => {
  it('goes on as the very bytes where nothing in it is of the guard', () => {
    const request = Buffer.from('{ "input" : [{"type":"item_reference","id":"msg_1"}], "seed":12345678901234567890 }');
    expect(restoreRequest(request)).toBe(request);
    const named = Buffer.from('{"input":"what is msg_croft_0_eA?"}');
    expect(restoreRequest(named)).toBe(named);
    const broken = Buffer.from('{"input":"msg_croft_","input":1}');
    expect(restoreRequest(broken)).toBe(broken);
  });

  it('that refers to a made message gets its words, and keeps its numbers', () => {
    const json = restore(`{"seed":12345678901234567890,"input":[{"type":"item_reference","id":"${String(note.id)}"}]}`);
    expect(json).toContain('12345678901234567890');
    expect(JSON.parse(json)).toMatchObject({
      input: [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Refused: “x”.' }] }],
    });
  });

  it('that repeats a made message does so without the id upstream never gave', () => {
    const [item] = (JSON.parse(restore(JSON.stringify({ input: [note] }))) as { input: object[] }).input;
    const { id, ...rest } = note;
    expect(id).toMatch(/^msg_/);
    expect(item).toEqual(rest);
  });

  it('that continues a response gets the results of the calls that were taken out of it, once', () => {
    const open = new OpenCalls();
    const result = { type: 'function_call_output', call_id: 'call_1', output: 'no' };
    open.add('resp_1', [result]);
    const continued = (input: unknown) =>
      (JSON.parse(restore(JSON.stringify({ previous_response_id: 'resp_1', input }), open)) as { input: unknown })
        .input;
    expect(continued('go')).toEqual([result, { role: 'user', content: 'go' }]);
    expect(continued([{ role: 'user', content: 'go' }])).toEqual([result, { role: 'user', content: 'go' }]);
    expect(continued(undefined)).toEqual([result]);
    expect(continued([result])).toEqual([result]);
    const other = '{"previous_response_id":"resp_2","input":"x"}';
    expect(restore(other, open)).toBe(other);
  });

  it('is remembered of so many responses and no more', () => {
    const open = new OpenCalls();
    for (let at = 0; at < 5000; at++) open.add(`resp_${at}`, [{ call_id: 'c' }]);
    expect(open.size).toBe(2048);
    expect(open.of('resp_0')).toEqual([]);
    expect(open.of('resp_4999')).toHaveLength(1);
  });
});
