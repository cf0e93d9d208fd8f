import fc from 'fast-check';
import { expect, it } from 'vitest';
import { FragmentTemplate } from './fragment-template.ts';

const frame = (args: string, padding?: string): string => {
  const choices = [
    { index: 0, delta: { tool_calls: [{ index: 0, function: { arguments: args } }] }, finish_reason: null },
  ];
  const data = JSON.stringify({ id: 'x', choices, ...(padding !== undefined && { obfuscation: padding }) });
  return Buffer.from(`data: ${data}\n\n`).toString('latin1');
};
const entry = (args: string) => ({ index: 0, function: { arguments: args } });

it('reads of any frame like the first what a parser reads, with and without padding', () => {
  const text = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.constantFrom('"', '\\', '","x":"', '\n', 'ü'));
  fc.assert(
    fc.property(text, text, fc.option(fc.constantFrom('', 'aB3'), { nil: undefined }), (first, second, padding) => {
      const template = FragmentTemplate.of(frame(first, padding), entry(Buffer.from(first).toString()));
      if (!template) return;
      const more = padding === undefined ? undefined : `${padding}Zz`;
      expect(template.text(Buffer.from(frame(second, more), 'latin1'))).toBe(Buffer.from(second).toString());
    }),
    { numRuns: 3000 },
  );
});

it('takes no frame for alike in which anything else differs', () => {
  const template = FragmentTemplate.of(frame('a'), entry('a'));
  expect(template?.text(Buffer.from(frame('b')))).toBe('b');
  for (const other of [
    frame('b').replace('"index":0', '"index":1'),
    frame('b').replace('null', '"stop"'),
    frame('b').replace('"arguments":"b"', '"arguments":"b","arguments":"c"'),
    frame('b').replace('"b"', '"b","x":""'),
    frame('b').replace('"b"', '"b'),
    frame('b').replace('"b"', '"\u0001"'),
    frame('b').slice(0, -1),
    frame('b', 'pad'),
  ])
    expect(template?.text(Buffer.from(other, 'latin1'))).toBeUndefined();
});

it('is made of no frame that could start another call', () => {
  expect(FragmentTemplate.of(frame('a'), { ...entry('a'), id: 'c' })).toBeUndefined();
  expect(FragmentTemplate.of(frame('a'), { index: 0, function: { name: 'n', arguments: 'a' } })).toBeUndefined();
  expect(FragmentTemplate.of(frame('a').replace('"id"', '"arguments":"a","id"'), entry('a'))).toBeUndefined();
});
