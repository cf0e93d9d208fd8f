import { describe, expect, it } from 'vitest';
import { createLocalSessions, LOCAL_SESSION_SECONDS } from './local-session.ts';

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

describe('the bounds of sessions', () => {
  it('keep 100 codes, the latest ones', () => {
    const { sessions } = makeSessions();
    const codes = Array.from({ length: 101 }, () => sessions.makeCode());
    expect(codes.map((code) => sessions.redeem(code)).indexOf(true)).toBe(1);
    expect(sessions.redeem(codes[1] as string)).toBe(false);
    const full = Array.from({ length: 100 }, () => sessions.makeCode());
    expect(full.every((code) => sessions.redeem(code))).toBe(true);
  });

  it('are 30 days by default, by the clock of the machine', () => {
    const clock = { now: NOW };
    const sessions = createLocalSessions(['k'], { now: () => clock.now });
    const value = sessions.issue();
    expect(LOCAL_SESSION_SECONDS).toBe(30 * 86_400);
    clock.now += 30 * DAY_MS - 1;
    expect(sessions.isValid(value)).toBe(true);
    clock.now += 1;
    expect(sessions.isValid(value)).toBe(false);
    const real = createLocalSessions(['k']);
    expect([real.isValid(real.issue()), real.redeem(real.makeCode())]).toEqual([true, true]);
    expect(sessions.isValid(real.issue())).toBe(false);
  });

  it('accept values of an earlier key, and sign with the first', () => {
    const now = () => NOW;
    const [old, both] = [createLocalSessions(['old'], { now }), createLocalSessions(['new', 'old'], { now })];
    expect([both.isValid(old.issue()), old.isValid(both.issue())]).toEqual([true, false]);
    expect(createLocalSessions(['new'], { now }).isValid(both.issue())).toBe(true);
  });

  it('give each code 32 characters and each value a time, a nonce and a signature', () => {
    const { sessions } = makeSessions();
    expect(sessions.makeCode()).toMatch(/^[\w-]{32}$/);
    expect(sessions.issue()).toMatch(new RegExp(`^${NOW.toString(36)}-[\\w-]{12}\\.[\\w-]{43}$`));
    expect(sessions.issue()).not.toBe(sessions.issue());
  });
});
