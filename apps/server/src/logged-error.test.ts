import pg from 'pg';
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

it('names what PostgreSQL complains about, without the values that its message quotes', () => {
  const fields = {
    code: '23505',
    schema: 'public',
    table: 'user',
    column: 'email',
    constraint: 'user_key',
    detail: 'SECRET',
  };
  const from = (message: string) => Object.assign(new pg.DatabaseError(message, 1, 'error'), fields);
  const { stack: _, ...logged } = loggedError(from('duplicate key "SECRET "inner"" in x'));
  expect(logged).toEqual({
    type: 'error',
    message: 'duplicate key "…" in x',
    code: '23505',
    schema: 'public',
    table: 'user',
    column: 'email',
    constraint: 'user_key',
  });
  expect(loggedError(from('invalid input: SECRET\nSECRET')).message).toBe('invalid input');
  expect(loggedError(from('invalid input: "SECRET"')).message).toBe('invalid input: "…"');
});

it('knows an error of PostgreSQL that another thread passed on by its severity', () => {
  const passedOn = Object.assign(new Error('bad "SECRET"'), { severity: 'ERROR', table: 'user', column: 5 });
  const { stack: _, ...logged } = loggedError(passedOn);
  expect(logged).toEqual({ type: 'Error', message: 'bad "…"', table: 'user' });
  const other = loggedError(Object.assign(new Error('bad "word"'), { table: 'user' }));
  expect([other.message, other.table]).toEqual(['bad "word"', undefined]);
});

it('keeps the first 500 characters of a query, and not its parameters', () => {
  const failed = Object.assign(new Error('Failed query: SECRET'), { query: 'q'.repeat(600), params: ['SECRET'] });
  const { stack: _, ...logged } = loggedError(failed);
  expect(logged).toEqual({ type: 'Error', message: 'A database query failed', query: 'q'.repeat(500) });
  // Without parameters, the message may be the query itself.
  expect(loggedError(Object.assign(new Error('kept'), { query: 'q' })).message).toBe('kept');
  expect(loggedError(Object.assign(new Error('kept'), { params: [] })).message).toBe('kept');
});

it('has only the frames of a stack, and leaves it out where there are none', () => {
  const error = new Error('SECRET\nat SECRET');
  error.stack = 'Error: SECRET\nat SECRET\n    at one (a.ts:1:1)\n    at two (b.ts:2:2)';
  expect(loggedError(error).stack).toBe('    at one (a.ts:1:1)\n    at two (b.ts:2:2)');
  error.stack = 'Error: SECRET';
  expect(loggedError(error)).toEqual({ type: 'Error', message: 'SECRET\nat SECRET' });
  delete (error as { stack?: string }).stack;
  expect(loggedError(error)).not.toHaveProperty('stack');
});

it('has the cause first and then the errors of an aggregate, at most four on each of four levels', () => {
  const errors = ['a', 'b', 'c', 'd'].map((message) => new Error(message));
  const many = new AggregateError([...errors, 'text'], 'many', { cause: new Error('cause') });
  expect(loggedError(many).causes?.map(({ message }) => message)).toEqual(['cause', 'a', 'b', 'c']);
  let chain = new Error('6');
  for (const message of ['5', '4', '3', '2', '1']) chain = new Error(message, { cause: chain });
  const messages: string[] = [];
  for (let at: ReturnType<typeof loggedError> | undefined = loggedError(chain); at; at = at.causes?.[0])
    messages.push(at.message);
  expect(messages).toEqual(['1', '2', '3', '4', '5']);
  expect(loggedError(new Error('x', { cause: 'text' }))).not.toHaveProperty('causes');
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
