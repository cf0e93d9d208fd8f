import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allowAll, blockOutside, openStream, play, sseData } from '../testing.ts';
import { cutAt } from '../testing-reader.ts';
import { openSse } from '../../framing/sse.ts';
import type { Verdict } from '../wire.ts';
import { openaiResponses } from './openai-responses.ts';
import {
  applyPatch,
  call,
  customCall,
  eventsOf,
  HOSTILE,
  localShell,
  PASSING,
  reasoning,
  responseOf,
  shell,
  sseOf,
  type TestItem,
  text,
} from './testing.ts';

interface Event {
  readonly type: string;
  readonly sequence_number?: number;
  readonly output_index?: number;
  readonly response?: { readonly id: string; readonly output: { readonly id: string; readonly type: string }[] };
}
interface Asked {
  readonly input: Record<string, unknown>[];
  readonly previous_response_id?: string;
}
const FINE = '{"path":"a.ts"}';
const REQUEST = '{"model":"gpt-x","seed":12345678901234567890,"stream":true,"input":"go"}';
const eventsIn = (out: Buffer): Event[] => sseData(out) as unknown as Event[];

function ask(items: readonly TestItem[], more: object = {}, request: string = REQUEST) {
  const run = openStream(openaiResponses, blockOutside, { maxRecorded: 1 << 20 });
  run.guard.push(sseOf(eventsOf('resp_1', items, more)));
  expect(run.guard.state).toBe('asking');
  const again = openaiResponses.retryRequest(Buffer.from(request), { frames: run.guard.answer }, run.guard.verdicts);
  return { run, text: again?.toString(), asked: again && (JSON.parse(again.toString()) as Asked) };
}

describe('asking again', () => {
  it('carries the turn and a result for each call, and leaves the request as it was', () => {
    const items = [
      reasoning('rs'),
      text('m', 'I try.'),
      call('1', HOSTILE),
      customCall('2', '/etc/x'),
      localShell('3', ['rm', '/etc/x']),
      shell('4', ['rm /etc/x']),
      applyPatch('5', '/etc/x'),
    ];
    const { text: json, asked } = ask(items);
    expect(json).toContain('"seed":12345678901234567890');
    expect(asked?.input.slice(0, 8)).toEqual([{ role: 'user', content: 'go' }, ...items.map(({ item }) => item)]);
    expect(asked?.input.slice(8)).toEqual([
      { type: 'function_call_output', call_id: 'call_1', output: expect.stringContaining('outside the project') },
      { type: 'custom_tool_call_output', call_id: 'call_2', output: expect.stringContaining('Refused') },
      { type: 'local_shell_call_output', call_id: 'call_3', output: expect.stringContaining('Refused') },
      {
        type: 'shell_call_output',
        call_id: 'call_4',
        max_output_length: 4096,
        output: [{ stdout: '', stderr: expect.stringContaining('Refused'), outcome: { type: 'exit', exit_code: 1 } }],
      },
      {
        type: 'apply_patch_call_output',
        call_id: 'call_5',
        status: 'failed',
        output: expect.stringContaining('Refused'),
      },
    ]);
  });

  it('continues from the response where upstream keeps it, with the results alone', () => {
    const { asked } = ask([call('1', HOSTILE)], { store: true });
    expect(asked).toMatchObject({ previous_response_id: 'resp_1', model: 'gpt-x' });
    expect(asked?.input.map(({ type }) => type)).toEqual(['function_call_output']);
  });

  it('continues what the client continues', () => {
    const request = '{"model":"m","previous_response_id":"resp_0","input":[{"role":"user","content":"go"}]}';
    const { asked } = ask([call('1', HOSTILE)], { store: undefined }, request);
    expect(asked?.previous_response_id).toBe('resp_1');
    // Upstream does not store this response, so the request repeats it after the stored one.
    const forgotten = ask([call('1', HOSTILE)], { store: false }, request).asked;
    expect(forgotten?.previous_response_id).toBe('resp_0');
    expect(forgotten?.input.map(({ type }) => type)).toEqual([undefined, 'function_call', 'function_call_output']);
    const conversation = ask([call('1', HOSTILE)], { store: true }, '{"conversation":"conv_1","input":"go"}').asked;
    expect(conversation).toMatchObject({ conversation: 'conv_1', input: [{ type: 'function_call_output' }] });
    expect(conversation?.previous_response_id).toBeUndefined();
  });

  it('leaves out reasoning without encrypted content, and arguments that are not JSON', () => {
    const { item } = reasoning('rs');
    const { asked } = ask([{ item: { ...item, encrypted_content: null } }, call('1', '{"path":"/etc/')]);
    expect(asked?.input.map(({ type, arguments: args }) => [type, args])).toEqual([
      [undefined, undefined],
      ['function_call', '{}'],
      ['function_call_output', undefined],
    ]);
  });

  it('takes the items from the events where the last snapshot has none', () => {
    const bytes = sseOf(
      eventsOf('r', [text('m', 'x'), call('1', HOSTILE)]).map((event) =>
        event.type === 'response.completed' ? { ...event, response: responseOf('r', []) } : event,
      ),
    );
    const run = openStream(openaiResponses, blockOutside, { maxRecorded: 1 << 20 });
    run.guard.push(bytes);
    const again = openaiResponses.retryRequest(Buffer.from(REQUEST), { frames: run.guard.answer }, run.guard.verdicts);
    const { input } = JSON.parse(String(again)) as Asked;
    expect(input.map(({ type }) => type)).toEqual([undefined, 'message', 'function_call', 'function_call_output']);
  });

  it('is not done where it cannot be', () => {
    const computer = PASSING.filter(({ item }) => item.type === 'computer_call');
    expect(ask([call('1', HOSTILE), ...computer]).asked).toBeUndefined();
    expect(ask([{ item: { id: 'x', type: 'disk_call', call_id: 'c', path: '/etc/x' } }]).asked).toBeUndefined();
    expect(ask([call('1', HOSTILE)], {}, '').asked).toBeUndefined();
    expect(ask([call('1', HOSTILE)], {}, '{"input":{}}').asked).toBeUndefined();
    expect(ask([call('1', HOSTILE)], {}, '{"input":"a","input":"b"}').asked).toBeUndefined();
    expect(ask([call('1', HOSTILE)], { store: false }, '{"conversation":"c"}').asked).toBeUndefined();
  });

  it('works for a response in one piece', () => {
    const body = Buffer.from(JSON.stringify(responseOf('r', [reasoning('rs').item, call('1', HOSTILE).item])));
    const verdict: Verdict = { key: '0', name: 'w', blocked: true, decision: allowAll(), result: 'no', note: 'n' };
    const again = openaiResponses.retryRequest(Buffer.from(REQUEST), { body }, [verdict]);
    const { input } = JSON.parse(String(again)) as Asked;
    expect(input.at(-1)).toEqual({ type: 'function_call_output', call_id: 'call_1', output: 'no' });
    const compact = Buffer.from(JSON.stringify({ object: 'response.compaction', output: [call('1', HOSTILE).item] }));
    expect(openaiResponses.retryRequest(Buffer.from(REQUEST), { body: compact }, [verdict])).toBeUndefined();
  });
});

describe('the answer to a retry', () => {
  it('goes on where the first one stopped, and its id is the one to continue from', () => {
    const { run } = ask([reasoning('rs'), text('m', 'I try.'), call('1', HOSTILE)]);
    const sent = run.out();
    run.guard.splice(openSse());
    run.guard.push(sseOf(eventsOf('resp_2', [text('n', 'Sorry.'), call('2', HOSTILE)])));
    expect(run.guard.state).toBe('asking');
    run.guard.splice(openSse());
    run.guard.push(sseOf(eventsOf('resp_3', [text('o', 'Now.'), call('3', FINE)])));
    run.guard.end();
    const out = run.out();
    expect(out.subarray(0, sent.length).equals(sent)).toBe(true);
    expect(out.includes('/etc/')).toBe(false);
    const events = eventsIn(out);
    expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, at) => at));
    expect(events.filter(({ type }) => type === 'response.created')).toHaveLength(1);
    const added = events.filter(({ type }) => type === 'response.output_item.added');
    expect(added.map(({ output_index }) => output_index)).toEqual([0, 1, 2, 3, 4]);
    const final = events.at(-1)?.response;
    expect(final?.id).toBe('resp_3');
    expect(final?.output.map(({ id }) => id)).toEqual(['rs', 'm', 'n', 'o', 'fc_3']);
  });

  it('may hold a blocked call beside an allowed one', () => {
    const { run } = ask([text('m', 'I try.'), call('1', HOSTILE)]);
    run.guard.splice(openSse());
    run.guard.push(sseOf(eventsOf('resp_2', [call('2', HOSTILE), call('3', FINE)])));
    const events = eventsIn(run.out());
    expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, at) => at));
    expect(events.at(-1)?.response?.output.map(({ type }) => type)).toEqual(['message', 'message', 'function_call']);
    expect(run.out().includes('/etc/')).toBe(false);
  });

  it('cannot bring a call in its beginning', () => {
    const { run } = ask([call('1', HOSTILE)]);
    run.guard.splice(openSse());
    run.guard.push(sseOf([{ type: 'response.created', response: responseOf('r', [call('2', FINE).item]) }]));
    expect(run.out().includes('write_file')).toBe(false);
    expect(eventsIn(run.out()).at(-1)?.type).toBe('error');
  });

  it('leaves the refusal as text when it does not come', () => {
    const { run } = ask([text('m', 'I try.'), call('1', HOSTILE)]);
    run.guard.refuse();
    run.guard.end();
    const events = eventsIn(run.out());
    expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, at) => at));
    expect(events.at(-1)?.response).toMatchObject({ id: 'resp_1', status: 'completed' });
    expect(run.out().includes('was refused and not run')).toBe(true);
    expect(run.out().includes('/etc/')).toBe(false);
  });
});

describe('any stream', () => {
  const args = fc.constantFrom(HOSTILE, FINE, '', '{"path":"/etc/');
  const id = fc.constantFrom('a', 'b', 'c');
  const item = fc.oneof(
    fc.tuple(id, fc.string()).map(([name, words]) => text(`m_${name}`, words)),
    id.map(reasoning),
    fc.tuple(id, args).map(([name, text]) => call(name, text)),
    fc.tuple(id, args).map(([name, text]) => customCall(name, text)),
    fc.tuple(id, args).map(([name, text]) => applyPatch(name, text)),
    fc.tuple(id, args).map(([name, text]) => shell(name, [text])),
    fc.constantFrom(...PASSING.filter(({ item: each }) => !JSON.stringify(each).includes('/etc/'))),
  );

  it('gives out no byte of a blocked call, and is in order, however it is cut, mixed up and shortened', () => {
    const change = fc.record({
      kind: fc.constantFrom('drop', 'double', 'swap', 'move'),
      at: fc.nat(40),
      to: fc.nat(3),
    });
    fc.assert(
      fc.property(
        fc.array(item, { maxLength: 4 }),
        fc.array(change, { maxLength: 3 }),
        fc.array(fc.nat(6000), { maxLength: 5 }),
        fc.boolean(),
        (items, changes, places, again) => {
          const events = eventsOf('r', items);
          for (const { kind, at, to } of changes) {
            const event = events[at];
            if (!event) continue;
            if (kind === 'drop') events.splice(at, 1);
            else if (kind === 'double') events.splice(at, 0, event);
            else if (kind === 'swap') events.splice(Math.max(0, at - 1), 0, ...events.splice(at, 1));
            else if ('output_index' in event) events[at] = { ...event, output_index: to };
          }
          const bytes = sseOf(events);
          const pieces = cutAt(bytes, places);
          const run = openStream(openaiResponses, blockOutside, { maxRecorded: again ? 1 << 20 : 0 });
          for (const piece of pieces) run.guard.push(piece);
          if (run.guard.state === 'asking') {
            run.guard.splice(openSse());
            run.guard.push(sseOf(eventsOf('r2', items)));
            run.guard.refuse();
          }
          run.guard.end();
          const out = run.out();
          expect(out.includes('/etc/')).toBe(false);
          expect(run.budget.used).toBe(0);
          const all = eventsIn(out);
          if (changes.length > 0) return;
          expect(all.map(({ sequence_number }) => sequence_number)).toEqual(all.map((_, at) => at));
          const added = all.filter(({ type }) => type === 'response.output_item.added');
          expect(added.map(({ output_index }) => output_index)).toEqual(added.map((_, at) => at));
          expect(all.at(-1)?.response?.output).toHaveLength(added.length);
        },
      ),
      { numRuns: 600 },
    );
  });

  it('leaves as it came when all is allowed, however it is cut', () => {
    fc.assert(
      fc.property(fc.array(item, { maxLength: 4 }), fc.array(fc.nat(6000), { maxLength: 5 }), (items, places) => {
        const bytes = sseOf(eventsOf('r', items));
        const out = play(openStream(openaiResponses, allowAll), cutAt(bytes, places));
        expect(out.equals(bytes)).toBe(true);
      }),
      { numRuns: 150 },
    );
  });
});
