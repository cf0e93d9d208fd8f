import { describe, expect, it, vi } from 'vitest';
import { Problem } from './problem.ts';
import { createLog, logHostFailure, problemOf } from './log.ts';

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

  it.each(['authorization', 'cookie', 'x-gateway-key', 'apiKey', 'password', 'set-cookie', 'token', 'secret'])(
    'never holds %s',
    (name) => {
      const text = logged(false, (log) => {
        log.info({ [name]: 'SECRET' }, 'at the top');
        log.info({ headers: { [name]: 'SECRET' } }, 'below');
        log.info({ request: { headers: { [name]: 'SECRET' } } }, 'further below');
      });
      expect(text).not.toContain('SECRET');
      expect(text.match(/\[hidden\]/g)).toHaveLength(3);
    },
  );

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

  it('shows a line on a terminal with its level unless it is info, and with its facts', () => {
    const text = logged(true, (log) => {
      log.info({ name: 'a', list: [1, 'b'] }, 'started');
      log.warn('slow');
      log.info({ err: new Error('broken') });
      log.debug('too much');
    });
    expect(text.replace(/^\d\d:\d\d:\d\d/gm, 'TIME')).toBe(
      'TIME started name=a list=[1,"b"]\nTIME WARN slow\nTIME broken (broken)\n',
    );
  });

  it('shows the time of day on a terminal', () => {
    vi.useFakeTimers({ now: new Date('2030-01-02T03:04:05.678Z'), toFake: ['Date'] });
    const text = logged(true, (log) => log.info('now'));
    vi.useRealTimers();
    expect(text).toBe('03:04:05 now\n');
  });

  it('goes to standard error unless a writer is given', () => {
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    createLog('info', undefined, false).info('there');
    const lines = write.mock.calls.map(([line]) => JSON.parse(String(line)).msg as string);
    write.mockRestore();
    expect(lines).toEqual(['there']);
  });
});

/** The level, words and facts of the entries. */
function entries(write: (log: ReturnType<typeof createLog>) => void): unknown[] {
  const text = logged(false, write);
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const { time: _, err, ...rest } = JSON.parse(line);
      return { ...rest, err: err?.message };
    });
}
const FULL = Object.assign(new Error('write'), { code: 'ENOSPC' });
const DOWN = Object.assign(new Error('select'), { query: 'SELECT', code: '08006' });

it('logs failures that only the operator can end', () => {
  expect(
    entries((log) => {
      for (const error of [FULL, DOWN, new Error('other')]) logHostFailure(log, error, { path: '/x' });
    }),
  ).toEqual([
    { level: 'error', path: '/x', msg: 'the disk is full', err: 'write' },
    { level: 'error', path: '/x', msg: 'the database does not answer', err: 'select' },
  ]);
});

it('makes the problem of an error, and logs an error that is not the fault of the caller', () => {
  const problems: Problem[] = [];
  const own = new Problem(404, 'not_found', 'Not here');
  const written = entries((log) => {
    for (const error of [own, FULL, new Error('SECRET')]) problems.push(problemOf(log, error, { path: '/x' }));
  });
  expect(written).toEqual([
    { level: 'error', path: '/x', msg: 'the disk is full', err: 'write' },
    { level: 'error', path: '/x', msg: 'a request failed', err: 'SECRET' },
  ]);
  expect(problems[0]).toBe(own);
  expect(problems.map(({ status, code }) => [status, code])).toEqual([
    [404, 'not_found'],
    [507, 'disk_full'],
    [500, 'internal'],
  ]);
  expect(problems[2]?.message).toBe('Something went wrong. The log of the server has the reason.');
});
