import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { testDir } from '../../../../tests/support/temp-dir.ts';
import { BLOCK } from '../testing.ts';
import { appendDecision } from './append-decision.ts';
import { readDecisions } from './read-decisions.ts';

const context = { tool: 'write_file', wire: 'hook', mode: 'enforce' } as const;

it('adds each decision to the log of the directory', () => {
  const dir = join(testDir(), 'log');
  expect([appendDecision(dir, BLOCK, context), appendDecision(dir, BLOCK, { ...context, tool: 'other' })]).toEqual([
    undefined,
    undefined,
  ]);
  const records = readDecisions(dir);
  expect(records.map(({ tool, decision, rule, wire }) => [tool, decision, rule, wire])).toEqual([
    ['write_file', 'block', 'outside-path', 'hook'],
    ['other', 'block', 'outside-path', 'hook'],
  ]);
  expect(records[0]?.id).toMatch(/^[0-9a-z]+\.[0-9a-z]+$/);
});

it('gives the error where the log cannot be written', () => {
  const file = join(testDir(), 'file');
  writeFileSync(file, '');
  const error = appendDecision(join(file, 'log'), BLOCK, context);
  expect([error instanceof Error, error?.message]).toEqual([true, expect.stringMatching(/^E[A-Z]+: /)]);
});
