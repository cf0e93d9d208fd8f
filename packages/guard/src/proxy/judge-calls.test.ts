import { describe, expect, it } from 'vitest';
import type { Decision } from '../decision.ts';
import { NOT_EXECUTED } from '../refusal.ts';
import { ALLOW, BLOCK } from '../testing.ts';
import type { SeenCall } from '../wire/wire.ts';
import { type JudgeCall, judgeCalls, tooLargeVerdict } from './judge-calls.ts';

const call = (key: string, ...names: string[]): SeenCall => ({
  key,
  readings: names.map((name) => ({ name, arguments: {} })),
});
/** Blocks calls named `bad`, cannot decide `open`, fails at `broken`. */
const judge: JudgeCall = ({ name }) => {
  if (name === 'broken') throw new Error('a bug');
  if (name === 'nothing') return undefined as unknown as Decision;
  if (name === 'strange') return { ...ALLOW, decision: 'maybe' } as unknown as Decision;
  return name === 'bad' ? BLOCK : name === 'open' ? { ...ALLOW, undecidable: true } : ALLOW;
};
const rulesOf = (calls: readonly SeenCall[]) =>
  judgeCalls(calls, judge, true).map(({ blocked, decision }) => `${blocked} ${decision.rule}`);

describe('a verdict', () => {
  it('is that of the worst reading of a call', () => {
    expect(rulesOf([call('1', 'good'), call('2', 'good', 'bad'), call('3', 'bad', 'good')])).toEqual([
      'false allowed',
      'true outside-path',
      'true outside-path',
    ]);
    const [verdict] = judgeCalls([call('1', 'good', 'open', 'good')], judge, true);
    expect(verdict?.decision.undecidable).toBe(true);
    const decisions = [
      { ...ALLOW, reason: 'first' },
      { ...ALLOW, reason: 'second' },
      { ...ALLOW, undecidable: true, reason: 'open' },
      { ...ALLOW, undecidable: true, reason: 'later' },
    ];
    const reasonOf = (...order: number[]) =>
      judgeCalls([call('1', ...order.map(String))], ({ name }) => decisions[Number(name)] as Decision, true)[0]
        ?.decision.reason;
    expect([reasonOf(0, 1), reasonOf(0, 2), reasonOf(2, 0), reasonOf(2, 3)]).toEqual(['first', 'open', 'open', 'open']);
  });

  it('blocks where the judge fails or gives no decision', () => {
    expect(
      rulesOf([call('1', 'broken'), call('2', 'nothing'), call('3', 'strange'), call('4', 'good', 'broken')]),
    ).toEqual(Array(4).fill('true failure'));
  });

  it('blocks a call that cannot be read, without asking the judge', () => {
    const faulty = (['ambiguous-arguments', 'invalid-arguments', 'too-large'] as const).map((fault) => ({
      ...call('1', 'good'),
      fault,
    }));
    expect(rulesOf([...faulty, call('2')])).toEqual([
      'true ambiguous-arguments',
      'true invalid-arguments',
      'true too-large',
      'true ambiguous-arguments',
    ]);
    expect(judgeCalls([...faulty, call('2', 'broken')], judge, true).map(({ decision }) => decision)).toEqual([
      {
        decision: 'block',
        rule: 'ambiguous-arguments',
        reason: 'The call can be read in more than one way',
        accepted: 'Send one call with one name and one JSON object.',
        paths: [],
      },
      {
        decision: 'block',
        rule: 'invalid-arguments',
        reason: 'The arguments of the call are not valid JSON',
        accepted: 'Send the arguments as one complete JSON object.',
        paths: [],
      },
      {
        decision: 'block',
        rule: 'too-large',
        reason: 'The call is too large to be checked',
        accepted: 'Write the content in several smaller calls.',
        paths: [],
      },
      {
        decision: 'block',
        rule: 'failure',
        reason: 'The guard failed while it judged this call, so the call is not let through',
        accepted: '',
        paths: [],
      },
    ]);
    expect(tooLargeVerdict(true)).toMatchObject({ key: 'too-large', name: '', blocked: true });
    expect([tooLargeVerdict(true).blocked, tooLargeVerdict(false).blocked]).toEqual([true, false]);
  });

  it('blocks nothing in a dry run, and says what it would block', () => {
    const [verdict] = judgeCalls([call('1', 'bad')], judge, false);
    expect([verdict?.blocked, verdict?.decision.decision]).toEqual([false, 'block']);
    expect(verdict?.note).toContain('/etc/x');
  });

  it('has texts only for a refused call', () => {
    const [good, bad] = judgeCalls([call('1', 'good'), call('2', 'bad')], judge, true);
    expect([good?.note, good?.key, bad?.key, bad?.name]).toEqual(['', '1', '2', 'bad']);
    expect(good?.result).toBe(NOT_EXECUTED);
    expect(bad?.result).toContain('/etc/x');
  });
});
