import fc from 'fast-check';
import { expect, it } from 'vitest';
import { askedModel } from './asked-model.ts';

const read = (text: string) => askedModel(Buffer.from(text));

it.each([
  ['{"model":"m","messages":[]}', 'm'],
  ['{"messages":[{"content":"say \\"model\\": \\"x\\""}],"model" : "m-1"}', 'm-1'],
  [`{"messages":"${'x'.repeat(9_000)}","model":"late"}`, 'late'],
  ['{"model":"a\\nb"}', 'a\nb'],
  ['{"model":"é"}', 'é'],
  ['{"a":["model"],"model":"m"}', 'm'],
])('reads the model of %s', (text, model) => {
  expect(read(text)).toBe(model);
});

it.each([
  '{"metadata":{"model":"inner"}}',
  '["model"]',
  '[{"model":"m"}]',
  '{"model":7}',
  '{"model":""',
  '{"model":"a","model":"b"}',
  '{"model":"a","\\u006dodel":"b"}',
  '{"x":"\\"model\\":\\"m\\""}',
  '',
  'null',
])('finds none in %s', (text) => {
  expect(read(text)).toBeUndefined();
});

it('reads of any request what a parser reads', () => {
  const key = fc.constantFrom('model', 'Model', 'messages', 'x', '"model"', '\\');
  const value = fc.letrec((tie) => ({
    any: fc.oneof({ depthSize: 'small' }, fc.string(), key, fc.integer(), fc.array(tie('any')), tie('object')),
    object: fc.dictionary(key, tie('any')),
  }));
  fc.assert(
    fc.property(value.object, fc.constantFrom(undefined, 1), (object, indent) => {
      const { model } = object as { model?: unknown };
      expect(read(JSON.stringify(object, null, indent))).toBe(typeof model === 'string' ? model : undefined);
    }),
    { numRuns: 2_000 },
  );
});
