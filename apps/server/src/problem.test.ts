import { expect, it } from 'vitest';
import { forPeopleOnly, notFound, notSignedIn, Problem, problemBody } from './problem.ts';

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

it('gives each refusal its status, code and text', () => {
  const parts = ({ status, code, message, headers }: Problem) => [status, code, message, headers];
  expect(parts(notSignedIn())).toEqual([
    401,
    'not_signed_in',
    'This request has no session and no valid API key. Sign in, or send a key as a bearer token.',
    { 'WWW-Authenticate': 'Bearer' },
  ]);
  expect(parts(forPeopleOnly())).toEqual([403, 'forbidden', 'An API key cannot do this. Sign in with a browser.', {}]);
  expect(parts(notFound())).toEqual([404, 'not_found', 'There is nothing at this address.', {}]);
});
