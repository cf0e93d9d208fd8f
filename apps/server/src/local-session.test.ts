import { describe, expect, it } from 'vitest';
import { createLocalSessions } from './local-session.ts';

const NOW = 1_700_000_000_000;
const DAY_MS = 86_400_000;

/** Sessions of one day, whose clock a test sets. */
function makeSessions(key = 'secret') {
  const clock = { now: NOW };
  return { clock, sessions: createLocalSessions([key], { lastsMs: DAY_MS, now: () => clock.now }) };
}

describe('a one-time code', () => {
  it('opens once', () => {
    const { sessions } = makeSessions();
    const code = sessions.makeCode();
    expect(sessions.redeem('wrong')).toBe(false);
    expect(sessions.redeem(code)).toBe(true);
    expect(sessions.redeem(code)).toBe(false);
  });

  it('opens up to ten minutes after it was made, and not later', () => {
    const { clock, sessions } = makeSessions();
    const [inTime, late] = [sessions.makeCode(), sessions.makeCode()];
    expect(inTime).not.toBe(late);
    clock.now += 600_000;
    expect(sessions.redeem(inTime)).toBe(true);
    clock.now += 1;
    expect(sessions.redeem(late)).toBe(false);
  });
});

describe('the value that a browser keeps', () => {
  const { clock, sessions } = makeSessions();
  const value = sessions.issue();
  const isValidAt = (nowMs: number, text: string | undefined = value) => {
    clock.now = nowMs;
    return sessions.isValid(text);
  };

  it('is valid for the time of the session', () => {
    expect(isValidAt(NOW)).toBe(true);
    expect(isValidAt(NOW + DAY_MS - 1)).toBe(true);
    expect(isValidAt(NOW + DAY_MS)).toBe(false);
  });

  it('is refused when it is forged, from the future, or of another server', () => {
    const [issued, signature] = value.split('.') as [string, string];
    const future = makeSessions();
    future.clock.now += 1;
    const forged = [
      '',
      '.',
      issued,
      `${issued}.`,
      `.${signature}`,
      `${(NOW + DAY_MS).toString(36)}.${signature}`,
      `${issued}.${signature}x`,
      `${value}.x`,
      makeSessions('other').sessions.issue(),
      future.sessions.issue(),
    ];
    for (const one of forged) expect(isValidAt(NOW, one), one).toBe(false);
    expect(sessions.isValid(undefined)).toBe(false);
  });

  it('does not hold the secret', () => {
    expect(makeSessions('croft_secret').sessions.issue()).not.toContain('secret');
  });
});
