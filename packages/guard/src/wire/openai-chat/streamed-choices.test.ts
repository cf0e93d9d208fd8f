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

const legacy = (functionCall: unknown) => ({ index: '0', toolCalls: [], functionCall }) as unknown as ReadChoice;

it('collects a call in the older form, and refuses more of it once it is settled', () => {
  const choice = new StreamedChoices().of('0');
  expect(choice).toMatchObject({ finished: false, survivors: 0 });
  expect([...choice.settled]).toEqual([]);
  const mark = collectCalls(choice, legacy({ name: 'x', arguments: '{' }));
  expect(mark).toEqual({ index: '0', entries: [], functionCall: choice.calls.calls[0]?.key });
  expect(collectCalls(choice, legacy({ arguments: '}' }))).toEqual(mark);
  choice.settled.set(mark?.functionCall ?? '', undefined);
  expect(openCalls(choice)).toEqual([]);
  expect(collectCalls(choice, legacy({ arguments: '' }))).toEqual(mark);
  expect(collectCalls(choice, legacy({ arguments: 'more' }))).toBeUndefined();
  expect(collectCalls(choice, legacy('text'))).toBeUndefined();
  expect(collectCalls(choice, chunk())).toEqual({ index: '0', entries: [], functionCall: undefined });
});

it('accepts values of a settled call that add nothing', () => {
  const choice = new StreamedChoices().of('0');
  const mark = collectCalls(choice, chunk(entry(0, '{}', 'x')));
  choice.settled.set(mark?.entries[0] ?? '', 0);
  expect(collectCalls(choice, chunk({ index: 0, function: { name: null, arguments: '' } }))).toEqual(mark);
  expect(collectCalls(choice, chunk({ index: 0, function: { name: null, arguments: 'a' } }))).toBeUndefined();
  expect(collectCalls(choice, chunk({ index: 0, custom: { input: 'a' } }))).toBeUndefined();
});

it('refuses what it cannot read', () => {
  expect(collectCalls(new StreamedChoices().of('0'), chunk('text'))).toBeUndefined();
});
