import type { Models, ModelEvent, ModelResult } from '@croft/models';
import { describe, expect, it } from 'vitest';
import { drain } from '../testing.ts';
import { askModel, modelIn, modelOrPreferred, positive } from './ask-model.ts';

const RESULT = {
  model: { provider: 'P', name: 'n' },
  usage: { inputTokens: 1, outputTokens: 2 },
  text: 'hi',
} as unknown as ModelResult;

function ask(events: readonly unknown[], streams = true, result = RESULT, request: object = {}) {
  let ended = false;
  const models = {
    preferred: { provider: 'Q', name: 'q' },
    async *stream() {
      try {
        for (const event of events) yield event as ModelEvent;
        return result;
      } finally {
        ended = true;
      }
    },
  } as unknown as Models;
  const running = askModel({ models, now: () => new Date() }, request as never, { streams });
  return { running, isEnded: () => ended, models };
}

describe('a question to a model', () => {
  it('gives its result, and the usage', async () => {
    const { outputs, progress } = await drain(ask([]).running);
    expect(outputs).toBe(RESULT);
    expect(progress).toEqual([{ kind: 'usage', model: 'P/n', inputTokens: 1, outputTokens: 2 }]);
  });

  it('reports texts where they are streamed, and always tools and fallbacks', async () => {
    const long = 'x'.repeat(501);
    const events = [
      { kind: 'text', text: 'he' },
      { kind: 'tool-call', name: 't', input: { a: 1 } },
      { kind: 'tool-result', name: 't', isError: false, output: 'fine' },
      { kind: 'tool-result', name: 't', isError: true, output: long },
      { kind: 'fallback', from: 'a', provider: 'p', to: 'b' },
      { kind: 'tool-call', name: 'u', input: undefined },
    ];
    const logs = [
      { kind: 'log', text: 'Calls t with {"a":1}' },
      { kind: 'log', text: 't answered: fine' },
      { kind: 'log', text: `t failed: ${'x'.repeat(500)}…` },
      { kind: 'log', text: 'a is not available on p. Trying b.' },
      { kind: 'log', text: 'Calls u with ' },
    ];
    expect((await drain(ask(events).running)).progress.slice(0, -1)).toEqual([{ kind: 'token', text: 'he' }, ...logs]);
    expect((await drain(ask(events, false).running)).progress.slice(0, -1)).toEqual(logs);
  });

  it.each([
    [{}, 'of the model. Ask for a shorter reply, or choose a model with longer ones.'],
    [{ maxOutputTokens: 100 }, 'of 100. Raise max_tokens.'],
  ])('reports that a reply was cut with the limits %j', async (request, rest) => {
    const { outputs, progress } = await drain(ask([], false, { ...RESULT, finish: 'length' }, request).running);
    expect(outputs.text).toBe('hi');
    expect(progress.slice(1)).toEqual([{ kind: 'log', text: `The reply was cut at the token limit ${rest}` }]);
  });

  it('ends the request where its reports are not read to the end', async () => {
    const { running, isEnded } = ask([
      { kind: 'text', text: 'a' },
      { kind: 'text', text: 'b' },
    ]);
    await running.next();
    expect(isEnded()).toBe(false);
    await running.return(undefined as never);
    expect(isEnded()).toBe(true);
  });

  it('needs models', async () => {
    await expect(drain(askModel({ now: () => new Date() }, {} as never, { streams: true }))).rejects.toThrow(
      'This run has no language models.',
    );
  });
});

it('reads a model and its settings', () => {
  expect(modelIn({ provider: 'OpenAI', name: 'n', temperature: 0.5, max_tokens: 9 })).toEqual({
    ref: { provider: 'OpenAI', name: 'n' },
    settings: { temperature: 0.5, max_tokens: 9 },
  });
  expect(modelIn({ provider: 'OpenAI', name: 'n', temperature: '1', max_tokens: null }).settings).toEqual({});
  expect(modelIn(undefined)).toEqual({ ref: undefined, settings: {} });
});

it('prefers the model of the field', () => {
  const { models } = ask([]);
  const services = { models, now: () => new Date() };
  expect(modelOrPreferred(services, { provider: 'P', name: 'n' })).toEqual({ provider: 'P', name: 'n' });
  expect(modelOrPreferred(services, undefined)).toEqual({ provider: 'Q', name: 'q' });
});

it('takes a number of a field only above 0', () => {
  expect([1, 0.5, 0, -1, '1', undefined, null].map(positive)).toEqual([
    1,
    0.5,
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});
