import { expect, it } from 'vitest';
import type { ReadChoice } from './payload.ts';
import { collectCalls, openCalls, StreamedChoices } from './streamed-choices.ts';

const chunk = (...toolCalls: unknown[]) =>
  ({ index: '0', toolCalls, functionCall: undefined }) as unknown as ReadChoice;
const entry = (index: number, args: string, name?: string) => ({
  index,
  ...(name !== undefined && { id: `id-${index}`, type: 'function' }),
  function: { ...(name !== undefined && { name }), arguments: args },
});

it('collects the calls of a choice over its chunks', () => {
  const choices = new StreamedChoices();
  const choice = choices.of('0');
  expect(choices.of('0')).toBe(choice);
  const first = collectCalls(choice, chunk(entry(0, '{"a"', 'x'), entry(1, '{}', 'y')));
  const second = collectCalls(choice, chunk(entry(0, ':1}')));
  expect([first?.entries.length, second?.entries[0] === first?.entries[0]]).toEqual([2, true]);
  expect(openCalls(choice)).toHaveLength(2);
  expect([choices.open(), [...choices.all()]]).toEqual([[choice], [choice]]);
});

it('has no open call once all are settled, and refuses more of a settled one', () => {
  const choices = new StreamedChoices();
  const choice = choices.of('0');
  const mark = collectCalls(choice, chunk(entry(0, '{}', 'x')));
  for (const key of mark?.entries ?? []) choice.settled.set(key, 0);
  expect([openCalls(choice), choices.open()]).toEqual([[], []]);
  expect(collectCalls(choice, chunk({ index: 0, function: { arguments: '' } }))).toBeDefined();
  expect(collectCalls(choice, chunk(entry(0, 'more')))).toBeUndefined();
});

it('refuses what it cannot read', () => {
  expect(collectCalls(new StreamedChoices().of('0'), chunk('text'))).toBeUndefined();
});
