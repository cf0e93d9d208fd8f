import { describe, expect, it } from 'vitest';
import { allowAll, blockOutside, everyCut, openStream, play, sseData } from '../testing.ts';
import { dataOf, readerOf, verdictOn } from '../testing-reader.ts';
import { openaiResponses } from './openai-responses.ts';
import { ResponsesReader } from './reader.ts';
import { BLOCKED, call, eventsOf, HOSTILE, localShell, reasoning, responseOf, sseOf, text } from './testing.ts';

const FINE = '{"path":"a.ts"}';
type Item = Record<string, unknown> & { readonly type: string };
interface Event {
  readonly type: string;
  readonly sequence_number?: number;
  readonly output_index?: number;
  readonly item?: Item;
  readonly delta?: string;
  readonly response?: { readonly id: string; readonly status: string; readonly output: Item[] };
}
const eventsIn = (out: Buffer): Event[] => sseData(out) as unknown as Event[];
const finalOf = (out: Buffer) => eventsIn(out).findLast((event) => event.response)?.response;

/** Asserts what must be true of every stream that the guard sends. */
function expectWhole(out: Buffer): void {
  const events = eventsIn(out);
  const numbers = events.flatMap((event) => event.sequence_number ?? []);
  expect(numbers).toEqual(numbers.map((_, at) => (numbers[0] ?? 0) + at));
  const added = events.filter((event) => event.type === 'response.output_item.added');
  expect(added.map((event) => event.output_index)).toEqual(added.map((_, at) => at));
  const done = events.filter((event) => event.type === 'response.output_item.done');
  expect(finalOf(out)?.output).toEqual(done.map((event) => event.item));
}

describe('a blocked call', () => {
  it.each(Object.entries(BLOCKED))(
    'leaves no byte at any cut, and becomes a message in its place: %s',
    (_, blocked) => {
      const bytes = sseOf(eventsOf('r', [reasoning('rs'), blocked, call('1', FINE)]));
      const out = play(openStream(openaiResponses, blockOutside), [bytes]);
      for (const pieces of everyCut(bytes))
        if (!play(openStream(openaiResponses, blockOutside), pieces).equals(out)) expect(pieces).toEqual([bytes]);
      for (const leak of ['/etc/', 'SECRET', 'call_0', String(blocked.item.id)]) expect(out.includes(leak)).toBe(false);
      expectWhole(out);
      const { status, output } = finalOf(out) ?? { output: [] };
      expect(status).toBe('completed');
      expect(output.map(({ type }) => type)).toEqual(['reasoning', 'message', 'function_call']);
      expect(output[0]).toEqual(reasoning('rs').item);
      expect(JSON.stringify(output[1])).toContain('was refused and not run');
      expect(output[2]).toEqual(call('1', FINE).item);
    },
  );

  it('that was before and after an allowed one goes, and the allowed one keeps its place', () => {
    const out = play(openStream(openaiResponses, blockOutside), [
      sseOf(eventsOf('r', [call('1', FINE), call('2', HOSTILE), call('3', FINE), call('4', HOSTILE)])),
    ]);
    expectWhole(out);
    expect(finalOf(out)?.output.map(({ type }) => type)).toEqual([
      'function_call',
      'message',
      'function_call',
      'message',
    ]);
  });

  const spelled = (change: (json: string) => string): Buffer =>
    Buffer.from(change(sseOf(eventsOf('r', [call('0', HOSTILE)])).toString()));
  const events = eventsOf('r', [call('0', HOSTILE)]);
  const swapped = (pattern: RegExp, item: object): Buffer =>
    sseOf(
      eventsOf('r', [call('0', FINE)]).map((event) =>
        pattern.test(String(event.type)) ? { ...event, ...item } : event,
      ),
    );
  const hostile = call('0', HOSTILE).item;

  it.each(
    Object.entries({
      'in the last snapshot alone': sseOf(events.filter((event) => !('output_index' in event))),
      'in output_item.done alone': sseOf([...events.slice(0, 2), ...events.slice(6, 7)]),
      'in output_item.done, and no end': sseOf([...events.slice(0, 2), ...events.slice(6, 7)]),
      'in output_item.added alone': sseOf([
        ...events.slice(0, 2),
        { type: 'response.output_item.added', output_index: 0, item: hostile },
        { type: 'response.completed', response: responseOf('r', []) },
      ]),
      'in fragments alone': sseOf([
        ...events.slice(0, 6),
        { type: 'response.completed', response: responseOf('r', []) },
      ]),
      'in response.created': sseOf([{ type: 'response.created', response: responseOf('r', [hostile]) }]),
      'in response.failed': sseOf([
        ...events.slice(0, 2),
        { type: 'response.failed', response: responseOf('r', [hostile]) },
      ]),
      'in added, and another in done': swapped(/item.added/, { item: hostile }),
      'in a delta, and another in done': swapped(/arguments.delta/, { delta: HOSTILE }),
      'in arguments.done, and another in done': swapped(/arguments.done/, { arguments: HOSTILE }),
      'in done, and another in the snapshot': swapped(/item.done/, { item: hostile }),
      'in the snapshot, and another in done': swapped(/completed/, { response: responseOf('r', [hostile]) }),
      'in a second done': sseOf([
        ...eventsOf('r', [call('0', FINE)]).slice(0, 7),
        { type: 'response.output_item.done', output_index: 0, item: hostile },
        { type: 'response.completed', response: responseOf('r', []) },
      ]),
      'in a delta after done': sseOf([
        ...eventsOf('r', [call('0', FINE)]).slice(0, 7),
        { type: 'response.function_call_arguments.delta', output_index: 0, delta: HOSTILE },
        { type: 'response.completed', response: responseOf('r', []) },
      ]),
      'under another item id': swapped(/arguments.done/, { arguments: HOSTILE, item_id: 'fc_other', output_index: 5 }),
      'as what was a message': sseOf([
        ...eventsOf('r', [text('m', 'x')]).slice(0, 3),
        { type: 'response.output_item.done', output_index: 0, item: hostile },
        { type: 'response.completed', response: responseOf('r', []) },
      ]),
      'without output_index': sseOf(events.map((event) => ({ ...event, output_index: undefined }))),
      'with an escaped type': spelled((json) => json.replaceAll('"function_call"', '"function\\u005fcall"')),
      'with an escaped key': spelled((json) => json.replaceAll('"item"', '"\\u0069tem"')),
      'with an escaped event': spelled((json) =>
        json.replaceAll('"response.', '"\\u0072esponse.').replaceAll(/event: .*\n/g, ''),
      ),
      'with a key in other case': spelled((json) =>
        json.replaceAll('"item"', '"Item"').replaceAll('"output"', '"Output"'),
      ),
      'with arguments in other case': spelled((json) => json.replaceAll('"arguments":', '"Arguments":')),
      'with a key twice': spelled((json) => json.replaceAll('"item":', '"item":{"type":"message"},"item":')),
      'with the arguments twice': spelled((json) => json.replaceAll('"arguments":', '"arguments":"{}","arguments":')),
      'with a prototype': spelled((json) =>
        json.replaceAll('"item":', '"item":{"type":"message","id":"m"},"__proto__":'),
      ),
      'as an object': spelled((json) => json.replaceAll(JSON.stringify(HOSTILE), HOSTILE)),
      'beside the real arguments': sseOf(eventsOf('r', [{ item: { ...call('0', FINE).item, input: HOSTILE } }])),
      'beside the real action': sseOf(
        eventsOf('r', [{ item: { ...localShell('0', ['ls']).item, command: ['rm', '/etc/x'] } }]),
      ),
      'in a message': sseOf(eventsOf('r', [{ item: { id: 'm', type: 'message', content: [hostile] } }])),
      'as the payload': sseOf([...events.slice(0, 2), { ...hostile }]),
      'as a bare response': sseOf([responseOf('r', [hostile])]),
      'as a chat chunk': sseOf([
        { choices: [{ delta: { tool_calls: [{ index: 0, function: { name: 'w', arguments: HOSTILE } }] } }] },
      ]),
      'as two events in one': spelled((json) =>
        json.replaceAll('event: response.output_item.done', 'event: response.output_text.done'),
      ),
      'after the end': sseOf([...eventsOf('r', [text('m', 'x')]), ...events]),
      'after [DONE]': sseOf([...eventsOf('r', [text('m', 'x')]), '[DONE]', ...events]),
      'cut off JSON': spelled((json) => json.slice(0, -9)),
      'hidden from readers of CR': Buffer.from(
        `data: {\r\r"type":"response.output_item.done","item":${JSON.stringify(hostile)}}\n\n`,
      ),
      'between two lines of data': Buffer.from(
        `data: [\ndata: {"type":"response.output_item.done","item":${JSON.stringify(hostile)}}\ndata: ]\n\n`,
      ),
    }),
  )('does not get out: %s', (_, stream) => {
    for (const pieces of [[stream], Array.from(stream, (_, at) => stream.subarray(at, at + 1))]) {
      const out = play(openStream(openaiResponses, blockOutside), pieces);
      if (out.includes('/etc/')) expect(out.toString()).toBe('');
    }
  });

  it('is dropped when upstream ends inside it, and the reply ends with an error', () => {
    const out = play(openStream(openaiResponses, allowAll), [
      sseOf(eventsOf('r', [text('m', 'x'), call('0', FINE)]).slice(0, -2)),
    ]);
    expect(out.includes('write_file')).toBe(false);
    expect(eventsIn(out).at(-1)).toMatchObject({ type: 'error', sequence_number: 9, error: { type: 'croft_guard' } });
  });

  it('ends the reply with words when it is larger than what may be held', () => {
    const run = openStream(openaiResponses, allowAll, { maxHeld: 6000 });
    for (const event of eventsOf('r', [text('m', 'x'), call('0', 'y'.repeat(10_000))])) run.guard.push(sseOf([event]));
    expect(run.guard.state).toBe('over');
    expect(run.budget.used).toBe(0);
    expectWhole(run.out());
    expect(finalOf(run.out())).toMatchObject({ id: 'r', status: 'completed' });
    expect(run.out().includes('too large')).toBe(true);
    expect(run.out().includes('yyy')).toBe(false);
  });

  it('passes all the same in dry-run, byte for byte', () => {
    const bytes = sseOf(eventsOf('r', [call('0', HOSTILE), call('1', FINE)]));
    for (const pieces of everyCut(bytes))
      if (!play(openStream(openaiResponses, blockOutside, { enforce: false }), pieces).equals(bytes))
        expect(pieces).toEqual([]);
  });

  it('is blocked when the judge throws', () => {
    const out = play(
      openStream(openaiResponses, () => {
        throw new Error('/home/u/secret');
      }),
      [sseOf(eventsOf('r', [call('1', FINE)]))],
    );
    expect(out.includes('write_file"')).toBe(false);
    expect(out.includes('secret')).toBe(false);
    expectWhole(out);
  });
});

describe('the frames of a response', () => {
  const reader = () =>
    readerOf(new ResponsesReader(), (events: readonly (Record<string, unknown> | string)[]) => sseOf(events));
  const verdict = (key: string, blocked: boolean) => verdictOn(key, blocked ? 'no' : '', 'no');

  it('pass as text, are held while a call is open, and settle with its item', () => {
    const { read, made } = reader();
    const events = eventsOf('r', [text('m', 'hi'), call('1', FINE)]);
    const at = events.findIndex((event) => event['output_index'] === 1);
    expect(new Set(read(...events.slice(0, at)))).toEqual(new Set(['pass']));
    expect(read(...events.slice(at, -1))).toEqual(['hold', 'hold', 'hold', 'hold', 'settle']);
    expect(made.interesting?.test('output_item')).toBe(true);
    expect(made.complete()).toMatchObject([{ key: '0', readings: [{ name: 'write_file', arguments: FINE }] }]);
    expect(read(...events.slice(-1))).toEqual(['finish']);
    expect([made.ended, ...read({ type: 'x' }, '[DONE]')]).toEqual([true, 'drop', 'pass']);
  });

  it('read every frame while a call is open', () => {
    const { read, made } = reader();
    read(...eventsOf('r', [call('1', FINE)]).slice(0, 3));
    expect(made.interesting).toBeUndefined();
  });

  it('finish at the end with a call that has none', () => {
    const { read } = reader();
    expect(read(...eventsOf('r', [call('1', FINE)]).slice(0, 5), '[DONE]').at(-1)).toBe('finish');
    expect(reader().read('[DONE]')).toEqual(['pass']);
  });

  it('are broken by a trace of a call that cannot be read, or that contradicts those before', () => {
    expect(reader().read('{"function_call"', '{')).toEqual(['broken', 'pass']);
    expect(reader().made.read({ raw: Buffer.from('function_call'), data: 'x', event: undefined, unclear: true })).toBe(
      'broken',
    );
    const [, , begun] = eventsOf('r', [call('1', FINE)]);
    expect(
      reader().read(begun as Record<string, unknown>, {
        type: 'response.output_item.done',
        output_index: 0,
        item: { type: 'message' },
      }),
    ).toEqual(['hold', 'broken']);
  });

  it('are the same objects if nothing is blocked', () => {
    const { made, frames } = reader();
    const held = frames(...eventsOf('r', [call('1', FINE)]).slice(2, -1));
    for (const frame of held) made.read(frame);
    made.complete();
    expect(made.release(held, [verdict('0', false)])).toBe(held);
  });

  it('have a message instead of a blocked call, with the numbers in order, also in the last snapshot', () => {
    const { made, frames } = reader();
    const held = frames(...eventsOf('r', [call('1', HOSTILE)]).slice(2));
    for (const frame of held) made.read(frame);
    made.complete();
    const pieces = dataOf(made.release(held, [verdict('0', true)]));
    expect(pieces.map((piece) => piece['sequence_number'])).toEqual([2, 3, 4, 5, 6, 7, 8]);
    expect(pieces.at(-1)?.['response'].output).toMatchObject([{ type: 'message', content: [{ text: 'no' }] }]);
    expect([JSON.stringify(pieces).includes('/etc/'), made.interesting]).toEqual([false, undefined]);
  });

  it('refuse a call without a verdict', () => {
    const { made, frames } = reader();
    const held = frames(...eventsOf('r', [call('1', FINE)]).slice(2, -1));
    for (const frame of held) made.read(frame);
    made.complete();
    expect(JSON.stringify(dataOf(made.release(held, [])))).toContain('Refused: a tool call was stopped and not run.');
  });

  it('of a second reply continue the first, whose start is dropped and whose id comes last', () => {
    const { made, frames } = reader();
    const first = frames(...eventsOf('r1', [text('m', 'I try.'), call('1', HOSTILE)]));
    for (const frame of first) made.read(frame);
    const sent = first.findIndex((frame) => frame.data?.includes('function_call') === true);
    const next = made.splice(first, sent);
    const second = frames(...eventsOf('r2', [text('n', 'Sorry.')]));
    const readings = second.map((frame) => next.read(frame));
    expect(readings.slice(0, 3)).toEqual(['drop', 'drop', 'rewrite']);
    const pieces = dataOf(second.slice(2).flatMap((frame) => next.rewrite(frame)));
    expect(pieces[0]).toMatchObject({ output_index: 1, sequence_number: sent });
    const { id, output, usage } = (pieces.at(-1) ?? {})['response'] as {
      id: string;
      output: { id: string }[];
      usage: { total_tokens: number };
    };
    expect([id, output.map((item) => item.id), usage.total_tokens]).toEqual(['r2', ['m', 'n'], 14]);
  });

  it('end with a note or an error', () => {
    const { made, read } = reader();
    read(...eventsOf('r', [text('m', 'a')]).slice(0, -1));
    const pieces = dataOf(made.conclude('no'));
    expect(pieces[0]).toMatchObject({ type: 'response.output_item.added', output_index: 1 });
    expect(pieces.at(-1)).toMatchObject({ type: 'response.completed', response: { id: 'r', status: 'completed' } });
    expect(pieces.at(-1)?.['response'].output).toHaveLength(2);
    const fresh = dataOf(reader().made.conclude('no'));
    expect(fresh[0]).toMatchObject({
      type: 'response.created',
      response: { id: 'resp_croft_guard', status: 'in_progress', output: [] },
    });
    const failing = reader().made;
    expect(dataOf(failing.fail('broken'))[0]).toMatchObject({
      type: 'error',
      code: 'croft_guard',
      message: 'broken',
      error: { type: 'croft_guard' },
    });
    expect(failing.ended).toBe(true);
  });
});
