import { createRegistry, type FlowDocument } from '@croft/flow';
import { describe, expect, it } from 'vitest';
import { readParams, refused, valuesFor } from './component-values.ts';

const field = (name: string, kind: string, more: object = {}) => ({ name, label: name, kind, ...more });
const registry = createRegistry([
  {
    descriptor: {
      type: 'Agent',
      label: 'Agent',
      description: '',
      category: 'test',
      effects: ['none'],
      fields: [
        field('prompt', 'multiline'),
        field('model', 'model'),
        field('count', 'integer', { min: 1, max: 9 }),
        field('on', 'switch'),
        field('share', 'slider'),
        field('price', 'number'),
        field('text', 'multiline', { accepts: ['Message'] }),
      ],
      outputs: [],
    },
  } as never,
]);
const FLOW = {
  nodes: [{ id: 'a', type: 'Agent', position: { x: 0, y: 0 }, values: {} }],
  edges: [],
  notes: [],
  groups: [],
} as unknown as FlowDocument;
const values = (params: Readonly<Record<string, unknown>>, id = 'a') => {
  const read = valuesFor(FLOW, registry, id, params);
  return 'error' in read ? read.error : read.values;
};

describe('the parameters of a call', () => {
  it('are an object, also as text, once or twice encoded', () => {
    const params = { a: 1 };
    for (const given of [params, JSON.stringify(params), JSON.stringify(JSON.stringify(params))])
      expect(readParams(given)).toEqual({ params });
  });

  it.each([
    ['[1]', 'params must be a JSON object, got list'],
    [JSON.stringify(JSON.stringify('"x"')), 'params must be a JSON object, got string'],
    [JSON.stringify(JSON.stringify(JSON.stringify({ a: 1 }))), 'params must be a JSON object, got string'],
    [undefined, 'params must be a JSON object, got undefined'],
    [null, 'params must be a JSON object, got object'],
  ])('are refused: %j', (given, error) => {
    expect(readParams(given)).toEqual({ error });
  });

  it('are refused with the fault of the JSON', () => {
    expect(readParams('{broken')).toEqual({
      error: expect.stringMatching(/^Invalid JSON in params: \S.+\. Use format: \{"key": "value"\}$/),
    });
  });
});

describe('values for a component', () => {
  it('get the kinds of its fields', () => {
    expect(values({ prompt: '7', count: ' 3 ', on: 'TRUE', model: 'OpenAI/gpt-4o' })).toEqual({
      prompt: '7',
      count: 3,
      on: true,
      model: [{ provider: 'OpenAI', name: 'gpt-4o' }],
    });
    expect(values({ on: false, count: 9 })).toEqual({ on: false, count: 9 });
    expect(values({ on: 'False', share: '0.5', price: '-1' })).toEqual({ on: false, share: 0.5, price: -1 });
    expect(values({ model: '' })).toEqual({ model: '' });
  });

  it('come with their fields, and may be for the variables of a text', () => {
    const read = valuesFor(FLOW, registry, 'a', { text: 'Hi {who}', who: 'you' });
    if ('error' in read) throw new Error(read.error);
    expect(read.values).toEqual({ text: 'Hi {who}', who: 'you' });
    expect([...read.fields].map(([name, each]) => [name, each?.kind])).toEqual([
      ['text', 'multiline'],
      ['who', undefined],
    ]);
  });

  it('are refused where they do not fit, with what there is', () => {
    expect(values({ promt: 'x' })).toBe(
      "Unknown parameter 'promt' on component 'a'. Available: ['text', 'prompt', 'model', 'count', 'on', 'share', 'price']",
    );
    expect(values({ count: 'three' })).toBe("'count' of a must be a number.");
    expect(values({ count: ' ' })).toBe("'count' of a must be a number.");
    expect(values({ count: '10' })).toBe("'count' of a must be at most 9.");
    expect(values({ on: 'yes' })).toBe("'on' of a must be true or false.");
    expect(values({}, 'b')).toBe("Component 'b' not found. Available: ['a']");
    expect(values({}, 'x'.repeat(200))).toBe(`Component '${'x'.repeat(100)}' not found. Available: ['a']`);
  });
});

it('gives a refusal as the result of a call, with a text for a person where it has one', () => {
  expect([refused({ error: 'No.' }), refused({ error: 'No.', summary: 'Not so.' })]).toEqual([
    { error: 'No.', text: 'No.' },
    { error: 'No.', text: 'No.', summary: 'Not so.' },
  ]);
});
