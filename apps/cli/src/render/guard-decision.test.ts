import type { Decision } from '@croft/guard/judging';
import { expect, it } from 'vitest';
import type { Palette } from './colours.ts';
import { renderDecision } from './guard-decision.ts';

const plain = (text: string) => text;
const mark = (letter: string) => (text: string) => `${letter}(${text})`;
const PAINT = { bold: plain, dim: plain, red: mark('r'), green: mark('g'), yellow: mark('y') } as unknown as Palette;
const BLOCKED = {
  decision: 'block',
  rule: 'outside-path',
  reason: 'Outside.',
  paths: [
    { written: '../x\u001b', read_as: '/y', inside: false },
    { written: 'a', read_as: 'a', inside: true },
  ],
  accepted: 'Use a path inside.',
} as unknown as Decision;

it('says what was decided, why, about which paths, and what to do instead', () => {
  const shown = renderDecision('write', BLOCKED, PAINT);
  expect(shown).not.toContain('\u001b');
  expect(shown.split('\n')).toEqual([
    'r(blocked)  write  outside-path',
    '  Outside.',
    expect.stringMatching(/^ {2}r\(outside\) {2}\.\.\/x.* {2}read as \/y$/),
    '  g(inside )  a',
    '  Instead: Use a path inside.',
    '',
  ]);
});

it('suggests nothing for an allowed call, and marks one that could not be decided', () => {
  const allowed = { ...BLOCKED, decision: 'allow', paths: [] } as unknown as Decision;
  expect(renderDecision('', allowed, PAINT)).toBe('g(allowed)  (no call)  outside-path\n  Outside.\n');
  const unsure = { ...allowed, undecidable: true } as unknown as Decision;
  expect(renderDecision('x', unsure, PAINT)).toMatch(/^y\(allowed\)/);
});
