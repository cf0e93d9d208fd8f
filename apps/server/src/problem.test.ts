import { expect, it } from 'vitest';
import { notFound, notSignedIn, Problem, problemBody } from './problem.ts';

it('shows code and message, and neither the cause nor the headers', () => {
  const problem = new Problem(409, 'changed', 'Read it again.', { 'Retry-After': '1' }, new Error('/host/path'));
  expect(problemBody(problem)).toEqual({ error: { code: 'changed', message: 'Read it again.' } });
  expect([problem.status, problem.headers, problem.cause]).toEqual([
    409,
    { 'Retry-After': '1' },
    new Error('/host/path'),
  ]);
  expect(String(problem)).toBe('Problem: Read it again.');
});

it('asks an anonymous caller for a bearer token', () => {
  expect(notSignedIn()).toMatchObject({
    status: 401,
    code: 'not_signed_in',
    headers: { 'WWW-Authenticate': 'Bearer' },
  });
});

it('says the same for a missing thing and one of another user', () => {
  expect(notFound()).toMatchObject({ status: 404, code: 'not_found', message: 'There is nothing at this address.' });
  expect(notFound('You have no such flow.').message).toBe('You have no such flow.');
});
