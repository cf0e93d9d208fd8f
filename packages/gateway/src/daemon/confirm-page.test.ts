import { describe, expect, it } from 'vitest';
import { type ConfirmationOptions, confirmPages, type PageVerdict } from './confirm-page.ts';
import type { DaemonEvent } from './daemon-events.ts';
import { pageOrigins } from './page-origins.ts';
import type { PageAccess, Settings } from './settings.ts';

const PAGE = 'https://page.example';

/** Confirmations whose person gives these verdicts, in order. */
function setUp(verdicts: readonly (PageVerdict | Error | 'nothing')[] = [], more: Partial<ConfirmationOptions> = {}) {
  const events: DaemonEvent[] = [];
  const questions: PageAccess[] = [];
  const remembered: string[] = [];
  const signals: AbortSignal[] = [];
  const settings = {
    decisionFor: () => undefined,
    remember: ({ origin }: PageAccess, decision: string) => void remembered.push(`${decision} ${origin}`),
  } as unknown as Settings;
  const origins = pageOrigins(settings, { directory: '/p', mayWrite: true }, []);
  const confirmation = confirmPages({
    directory: '/p',
    mayWrite: true,
    origins,
    settings,
    autoConfirm: false,
    tell: (event) => events.push(event),
    async ask(question, signal) {
      const verdict = verdicts[questions.push(question) - 1];
      signals.push(signal);
      if (verdict instanceof Error) throw verdict;
      return verdict === undefined || verdict === 'nothing' ? new Promise(() => undefined) : verdict;
    },
    ...more,
  });
  return { confirmation, events, questions, remembered, origins, signals };
}

describe('a page', () => {
  it.each([
    ['allow_once', true, []],
    ['allow_always', true, [`allow ${PAGE}`]],
    ['deny_once', false, []],
    ['deny_always', false, [`deny ${PAGE}`]],
  ] as const)('gets the verdict of the person: %s', async (verdict, allowed, stored) => {
    const { confirmation, questions, remembered, origins, events } = setUp([verdict]);
    expect(await confirmation.decide(PAGE)).toBe(allowed);
    expect([questions, remembered]).toEqual([[{ origin: PAGE, directory: '/p', mayWrite: true }], stored]);
    expect(origins.standingOf(PAGE)).toBe(allowed ? 'allowed' : 'denied');
    expect(events).toEqual([
      { type: 'asked', origin: PAGE },
      { type: 'decided', origin: PAGE, allowed, remembered: stored.length > 0 },
    ]);
  });

  it('is denied where the terminal closes, no answer comes in time, or the daemon ends', async () => {
    const closed = setUp([new Error('closed')]);
    expect(await closed.confirmation.decide(PAGE)).toBe(false);
    const late = setUp(['nothing'], { timeoutMs: 1 });
    expect(await late.confirmation.decide(PAGE)).toBe(false);
    expect(late.signals[0]?.aborted).toBe(true);
    const ended = setUp(['nothing', 'allow_once']);
    const deciding = ended.confirmation.decide(PAGE);
    ended.confirmation.close();
    expect(await deciding).toBe(false);
    expect(await ended.confirmation.decide(PAGE)).toBe(false);
    expect(ended.questions).toHaveLength(1);
  });

  it('is not asked about while another question is open', async () => {
    const { confirmation, questions } = setUp(['nothing']);
    const first = confirmation.decide(PAGE);
    expect([confirmation.isOpen, await confirmation.decide('https://other.example')]).toEqual([true, false]);
    confirmation.close();
    await first;
    expect([confirmation.isOpen, questions.length]).toEqual([false, 1]);
  });

  it('is turned away after five denials, and reported once', async () => {
    const { confirmation, questions, events } = setUp(Array(9).fill('deny_once'));
    for (let i = 0; i < 5; i++) await confirmation.decide(`https://${i}.example`);
    expect([await confirmation.decide(PAGE), await confirmation.decide(PAGE)]).toEqual([false, false]);
    expect(questions).toHaveLength(5);
    expect(events.filter(({ type }) => type === 'turned_away')).toEqual([
      { type: 'turned_away', origin: PAGE, why: 'too many pages were turned away in this run' },
    ]);
  });

  it('connects without a question with --auto-confirm, and is turned away without a terminal', async () => {
    const auto = setUp([], { autoConfirm: true });
    expect([await auto.confirmation.decide(PAGE), auto.questions.length, auto.remembered]).toEqual([true, 0, []]);
    const without = setUp([], { ask: undefined });
    expect(await without.confirmation.decide(PAGE)).toBe(false);
    expect(without.events).toMatchObject([{ type: 'turned_away', why: expect.stringContaining('no terminal') }]);
  });

  it('is allowed although the decision cannot be stored, with a warning', async () => {
    const settings = {
      decisionFor: () => undefined,
      remember: () => {
        throw new Error('read-only');
      },
    } as unknown as Settings;
    const { confirmation, events } = setUp(['allow_always'], { settings });
    expect(await confirmation.decide(PAGE)).toBe(true);
    expect(events).toContainEqual({ type: 'warning', message: 'read-only' });
  });
});
