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

it('reads the model near the start without the rest', () => {
  const model = 'm'.repeat(256);
  for (const start of [
    '{',
    '{"a":[{}],',
    '{"a":{"b":[1,{}]},',
    '{"a":"{[\\"","b":"}]\\\\",',
    `{"x":"${'x'.repeat(4_081)}",`,
  ])
    expect(read(`${start}"model" : "${model}"`), start.slice(0, 20)).toBe(model);
  for (const text of [
    `{"x":"${'x'.repeat(4_082)}","model":"m"`,
    `{"model":"${model}m"`,
    '{"model":"m","x":"\\u006"',
    '{"model":"m","model":"m"',
    '{"a":{"model":"m"',
    '{"a":{},"b":{"model":"m"',
    '"model":"m"',
    '{}"model":"m"',
    '{"a":"\\"model":"m"',
  ])
    expect(read(text), text.slice(0, 20)).toBeUndefined();
  expect(askedModel(Buffer.concat([Buffer.from('{"model":"a'), Buffer.of(0xff), Buffer.from('"')]))).toBeUndefined();
  expect(askedModel(undefined)).toBeUndefined();
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
