import { describe, expect, it } from 'vitest';
import type { PathVerdict } from '../decision.ts';
import { allow, block, pathsPart, undecided, worst } from './part.ts';

const verdict = (written: string) => ({ written, inside: true }) as unknown as PathVerdict;
const [A, B, C] = [verdict('a'), verdict('b'), verdict('c')];

describe('the worst part of a call', () => {
  it('is a block before an undecided part, before an allowed one, with the paths of all', () => {
    const parts = [
      allow('fine', [A]),
      undecided('undecidable-command', 'what?', [B]),
      block('outside-path', 'no', [C]),
      block('protected-path', 'later', []),
    ];
    expect(worst(parts)).toMatchObject({ outcome: 'block', rule: 'outside-path', reason: 'no', paths: [C, A, B] });
    expect(worst(parts.slice(0, 2))).toMatchObject({ outcome: 'undecided', paths: [B, A] });
    expect(worst([allow('first', [A]), allow('last', [B])])).toEqual(allow('last', [A, B]));
  });

  it('allows a call without parts', () => {
    expect(worst([])).toEqual(allow('Nothing is written'));
  });
});

describe('the paths of one part', () => {
  it('are blocked by the first that has a problem, which comes first', () => {
    const found = pathsPart([
      { verdict: A },
      { verdict: B, problem: { rule: 'outside-path', reason: 'no' } },
      { verdict: C, problem: { rule: 'protected-path', reason: 'later' } },
    ] as never);
    expect(found).toEqual(block('outside-path', 'no', [B, A, C]));
  });

  it('say where they are', () => {
    expect(pathsPart([{ verdict: A }, { verdict: B, further: '/x' }] as never).reason).toBe(
      "Every path is inside the project directory or the allowed directory '/x'",
    );
    expect(pathsPart([]).reason).toBe('Every path is inside the project directory');
  });
});

it('a part has its outcome with the rule and the reason', () => {
  expect([block('outside-path', 'no', [A]), undecided('undecidable-command', 'why')]).toEqual([
    { outcome: 'block', rule: 'outside-path', reason: 'no', paths: [A] },
    { outcome: 'undecided', rule: 'undecidable-command', reason: 'why', paths: [] },
  ]);
});
