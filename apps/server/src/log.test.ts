import { describe, expect, it } from 'vitest';
import { createLog } from './log.ts';

const logged = (isTerminal: boolean, write: (log: ReturnType<typeof createLog>) => void): string => {
  const lines: string[] = [];
  write(createLog('info', (line) => lines.push(line), isTerminal));
  return lines.join('');
};

describe('the log', () => {
  it('is one JSON object a line, with level and time', () => {
    const line = logged(false, (log) => log.warn({ userId: 'u' }, 'something'));
    expect(JSON.parse(line)).toEqual({
      level: 'warn',
      time: expect.stringMatching(/^\d{4}-/) as string,
      userId: 'u',
      msg: 'something',
    });
  });

  it.each(['authorization', 'cookie', 'x-gateway-key', 'apiKey', 'password'])('never holds %s', (name) => {
    const text = logged(false, (log) => {
      log.info({ [name]: 'SECRET' }, 'at the top');
      log.info({ headers: { [name]: 'SECRET' } }, 'below');
      log.info({ request: { headers: { [name]: 'SECRET' } } }, 'further below');
    });
    expect(text).not.toContain('SECRET');
    expect(text.match(/\[hidden\]/g)).toHaveLength(3);
  });

  it('has no characters that control a terminal or reorder its text', () => {
    const path = 'a\u009b2Jb\u202ec\u007fd\u001be\u2028f';
    const line = logged(false, (log) => log.info({ path }, 'audit'));
    expect(line).toContain(String.raw`a\u009b2Jb\u202ec\u007fd\u001be\u2028f`);
    expect(JSON.parse(line)).toMatchObject({ path });
    expect(logged(true, (log) => log.info({ path }, 'audit'))).toContain('path=a?2Jb?c?d?e?f');
  });

  it('is short on a terminal, and nothing in it is obeyed there', () => {
    const text = logged(true, (log) => log.error({ path: 'a\u001b[2Jb', err: new Error('broken') }, 'failed'));
    expect(text).toMatch(/^\d\d:\d\d:\d\d ERROR failed path=a\?\[2Jb \(broken\)\n$/);
  });
});
