import { builtinRegistry } from '@croft/components';
import type { ModelEvent, ModelRequest, ModelResult } from '@croft/models';
import { describe, expect, it } from 'vitest';
import { askModel, endOf } from './ask-model.ts';
import type { AssistantEvent } from './events.ts';
import { SYSTEM } from './prompt.ts';
import { makeTurn } from './testing.ts';
import type { TurnLimits } from './turn.ts';
import { TurnEnding } from './turn-ending.ts';

const registry = builtinRegistry();
const model = { provider: 'P', name: 'm' };
const text = (value: string): ModelEvent => ({ kind: 'text', text: value });
const result = (more: Partial<ModelResult> = {}): ModelResult => ({
  text: '',
  model,
  usage: { inputTokens: 10, outputTokens: 5, totalTokens: 15 },
  finish: 'stop',
  ...more,
});

/** Asks a model that sends these events, after it reported these steps. */
async function ask(
  events: readonly ModelEvent[],
  options: {
    limits?: TurnLimits;
    secrets?: string[];
    steps?: readonly { inputTokens: number; outputTokens: number; isLast: boolean }[];
    fails?: boolean;
  } = {},
) {
  const emitted: AssistantEvent[] = [];
  const halts: string[] = [];
  const requests: ModelRequest[] = [];
  const ended = { value: false };
  const ending = new TurnEnding();
  const messages = [{ role: 'user' as const, text: 'hello' }];
  async function* stream(request: ModelRequest) {
    requests.push(request);
    try {
      for (const step of options.steps ?? []) request.onStep?.(step);
      yield* events;
      if (options.fails) throw new Error('offline');
      return result();
    } finally {
      ended.value = true;
    }
  }
  const turn = makeTurn(registry, { limits: options.limits, secrets: new Set(options.secrets) });
  const answer = askModel(
    { ...turn, models: { ...turn.models, stream } },
    model,
    { messages, tools: [], signal: new AbortController().signal },
    { emit: (event) => void emitted.push(event), ending, stop: new AbortController() },
    ({ message }) => void halts.push(message),
  );
  messages.push({ role: 'user', text: 'later' });
  const outcome = await answer.catch((error: Error) => error.message);
  const chunks = emitted.flatMap((each) => (each.event === 'token' ? [each.chunk] : []));
  return { emitted, halts, request: requests[0], ended, ending, outcome, chunks };
}

describe('a request to the model', () => {
  it('has the system prompt, 100 steps, and a copy of the messages', async () => {
    const { request, outcome } = await ask([]);
    expect(request).toMatchObject({ model, system: SYSTEM, maxSteps: 100, tools: [] });
    expect(request?.messages).toEqual([{ role: 'user', text: 'hello' }]);
    expect(outcome).toEqual(result());
    expect((await ask([], { limits: { steps: 7 } })).request?.maxSteps).toBe(7);
  });

  it('reports the text without secrets, and all of it before another event', async () => {
    const call: ModelEvent = { kind: 'tool-call', id: '1', name: 'x', input: {} };
    const { chunks } = await ask([text('my pass'), text('word is here'), call, text(' bye')], {
      secrets: ['password'],
    });
    expect(chunks.join('|')).toBe('my |***REDACTED*** is |here| |bye');
  });

  it('reports which model answers instead', async () => {
    const { emitted } = await ask([{ kind: 'fallback', provider: 'P', from: 'a', to: 'b' } as ModelEvent]);
    expect(emitted).toEqual([
      { event: 'notice', type: 'model_fallback', message: 'a is not available on P. b answers.' },
    ]);
  });

  it('ends the stream when it fails', async () => {
    const { ended, outcome } = await ask([text('a')], { fails: true });
    expect([ended.value, outcome]).toEqual([true, 'offline']);
  });
});

describe('the tokens of a request', () => {
  it('are counted once: at each step, and the rest at the end', async () => {
    expect((await ask([])).ending.end().usage).toEqual({ input_tokens: 10, output_tokens: 5, total_tokens: 15 });
    const steps = [
      { inputTokens: 4, outputTokens: 1, isLast: false },
      { inputTokens: 3, outputTokens: 9, isLast: true },
    ];
    const { ending, halts } = await ask([], { steps });
    expect(ending.end().usage).toEqual({ input_tokens: 10, output_tokens: 10, total_tokens: 20 });
    expect(halts).toEqual([]);
  });

  it.each([
    [8, false, []],
    [7, false, ['I stopped at the limit of 7 tokens for one message. My changes are kept.']],
    [7, true, []],
  ])('stop the turn at the limit of %i, unless the step is the last one: %s', async (tokens, isLast, expected) => {
    const { halts } = await ask([], { limits: { tokens }, steps: [{ inputTokens: 4, outputTokens: 3, isLast }] });
    expect(halts).toEqual(expected);
  });
});

it('says why a turn ends before the model was done', () => {
  const turn = (limits?: TurnLimits) => makeTurn(registry, { limits });
  expect(endOf(turn(), result(), 1_000)).toBeUndefined();
  expect(endOf(turn(), undefined, 0)).toBeUndefined();
  expect(endOf(turn(), result({ finish: 'steps' }), 0)).toBe(
    'The agent ran out of steps before finishing. Its changes are kept. Try again, or break the request into smaller parts.',
  );
  expect(endOf(turn(), result({ finish: 'length' }), 0)).toBe(
    'My reply was cut at the token limit of the model. My changes are kept. Break the request into smaller parts, or choose a model with longer replies.',
  );
  expect(endOf(turn({ tokens: 5 }), result(), 4)).toBeUndefined();
  expect(endOf(turn({ tokens: 5 }), result(), 5)).toBe(
    'I stopped at the limit of 5 tokens for one message. My changes are kept.',
  );
});
