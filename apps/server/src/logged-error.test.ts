import { expect, it } from 'vitest';
import { createLog } from './log.ts';
import { loggedError } from './logged-error.ts';

it('keeps type, code, frames and causes of an error, and drops fields that it does not know', () => {
  const cause = Object.assign(new TypeError('inner'), { code: 'ECODE', params: ['SECRET'] });
  const logged = loggedError(Object.assign(new Error('outer', { cause }), { body: 'SECRET' }));
  expect(logged).toMatchObject({
    type: 'Error',
    message: 'outer',
    stack: expect.stringMatching(/^\s+at /) as string,
    causes: [{ type: 'TypeError', message: 'inner', code: 'ECODE' }],
  });
  expect(JSON.stringify(logged)).not.toContain('SECRET');
});

it('drops query parameters that another error repeats in its message', () => {
  const logged = loggedError(new Error('wrapped: Failed query: select $1\nparams: SECRET,\nSECRET'));
  expect(logged.message).toBe('wrapped: Failed query: select $1');
  expect(JSON.stringify(logged)).not.toContain('SECRET');
});

it('ends for errors that are causes of each other, and says what is not an error', () => {
  const one = new Error('one');
  const other = new Error('other', { cause: one });
  one.cause = other;
  expect(JSON.stringify(loggedError(one)).length).toBeLessThan(50_000);
  expect(loggedError('SECRET')).toEqual({ type: 'string', message: 'not an Error object' });
});

it('is short on a terminal', () => {
  const lines: string[] = [];
  createLog('info', (line) => lines.push(line), true).error({ err: new Error('broken') }, 'failed');
  expect(lines.join('')).toMatch(/ERROR failed \(broken\)\n$/);
});
