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

const checks = readFileSync(join(root, 'docs/assistant-checks.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| Part '))
  .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '').trim()))
  .map(([part = '', name = '', state = '', test = '', remark = '']) => ({ part, name, state, test, remark }));

it('lists every check by hand, with a reason where it is changed or open', () => {
  expect(checks).toHaveLength(74);
  for (const { state, remark } of checks) if (state !== 'held') expect(remark).not.toBe('');
  const count = (wanted: string) => checks.filter(({ state }) => state === wanted).length;
  const text = `${count('held')} held, ${count('changed')} changed for a reason, ${count('open')} open.`;
  expect(readFileSync(join(root, 'docs/assistant-checks.md'), 'utf8')).toContain(text);
  expect(count('held') + count('changed') + count('open')).toBe(74);
});

it.each(checks.filter(({ state }) => state !== 'open'))('names a test that exists: $part, $name', ({ test }) => {
  const [, file = '', name = ''] = /^`([^`]+)`: (.+)$/.exec(test) ?? [];
  const text = readFileSync(join(root, file), 'utf8');
  expect([`'${name}`, `"${name}`].some((each) => text.includes(each))).toBe(true);
});
