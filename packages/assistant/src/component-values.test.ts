import { createRegistry, type FlowDocument } from '@croft/flow';
import { describe, expect, it } from 'vitest';
import { readParams, valuesFor } from './component-values.ts';

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
    [undefined, 'params must be a JSON object, got undefined'],
    [null, 'params must be a JSON object, got object'],
    ['{broken', 'Invalid JSON in params: '],
  ])('are refused: %j', (given, error) => {
    expect(readParams(given)).toMatchObject({ error: expect.stringContaining(error) as string });
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
  });

  it('are refused where they do not fit, with what there is', () => {
    expect(values({ promt: 'x' })).toBe(
      "Unknown parameter 'promt' on component 'a'. Available: ['prompt', 'model', 'count', 'on']",
    );
    expect(values({ count: 'three' })).toMatch(/^'count' of a /);
    expect(values({ count: '' })).toMatch(/^'count' of a /);
    expect(values({ on: 'yes' })).toMatch(/^'on' of a /);
    expect(values({}, 'b')).toBe("Component 'b' not found. Available: ['a']");
    expect(values({}, 'x'.repeat(200))).toBe(`Component '${'x'.repeat(100)}' not found. Available: ['a']`);
  });
});
