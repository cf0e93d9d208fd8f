import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/assistant-scenarios.md'), 'utf8');
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| Scenario '))
  .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '').trim()))
  .map(([name = '', state = '', test = '', remark = '']) => ({ name, state, test, remark }));

it('lists every scenario once, with a reason where it is changed or open', () => {
  expect(new Set(rows.map(({ name }) => name)).size).toBe(87);
  expect(rows).toHaveLength(87);
  for (const { state, remark } of rows) if (state !== 'held') expect(remark).not.toBe('');
  const count = (wanted: string) => rows.filter(({ state }) => state === wanted).length;
  expect(page).toContain(`${count('held')} held, ${count('changed')} changed for a reason, ${count('open')} open.`);
  expect(count('held') + count('changed') + count('open')).toBe(87);
});

it.each(rows.filter(({ state }) => state !== 'open'))('names a test that exists: $name', ({ name, test }) => {
  const [, file = '', other] = /^`([^`]+)`(?:: (.+))?$/.exec(test) ?? [];
  const text = readFileSync(join(root, file), 'utf8');
  const wanted = other ?? name;
  expect([`'${wanted}`, `"${wanted}`].some((each) => text.includes(each))).toBe(true);
});

const readTable = (file: string, columns: readonly string[]) => {
  const text = readFileSync(join(root, 'docs', file), 'utf8');
  const cells = text
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith(`| ${columns[0]} `))
    .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '').trim()))
    .map(([part = '', name = '', state = '', test = '', remark = '']) => ({ part, name, state, test, remark }));
  return { text, cells };
};
const checks = readTable('assistant-checks.md', ['Part']);
const rules = readTable('assistant-rules.md', ['Part']);
const decisions = readTable('assistant-decisions.md', ['Number']);
const names = [checks, rules, decisions].flatMap(({ cells }) => cells).filter(({ state }) => state !== 'open');

it.each([
  ['check by hand', checks, 74],
  ['invariant, failure and bar', rules, 89],
] as const)('lists every %s, with a reason where it is changed or open', (_, { text, cells }, rowCount) => {
  expect(cells).toHaveLength(rowCount);
  for (const { state, remark } of cells) if (state !== 'held') expect(remark).not.toBe('');
  const count = (wanted: string) => cells.filter(({ state }) => state === wanted).length;
  expect(text).toContain(`${count('held')} held, ${count('changed')} changed for a reason, ${count('open')} open.`);
  expect(count('held') + count('changed') + count('open')).toBe(rowCount);
});

it('lists every decision once, with what is better or takes its place', () => {
  const { text, cells } = decisions;
  expect(cells.map(({ part }) => Number(part))).toEqual(Array.from({ length: 48 }, (_, at) => at + 1));
  for (const { state, remark } of cells) if (state !== 'kept') expect(remark).not.toBe('');
  const count = (wanted: string) => cells.filter(({ state }) => state === wanted).length;
  expect(text).toContain(`${count('kept')} kept, ${count('improved')} improved, ${count('replaced')} replaced.`);
  expect(count('kept') + count('improved') + count('replaced')).toBe(48);
});

it.each(names)('names a test that exists: $part, $name', ({ test }) => {
  const [, file = '', name = ''] = /^`([^`]+)`: (.+)$/.exec(test) ?? [];
  const text = readFileSync(join(root, file), 'utf8');
  expect([`'${name}`, `"${name}`].some((each) => text.includes(each))).toBe(true);
});
