import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  type Access,
  defineRoutes,
  errorCodesOf,
  isForPeople,
  isRaw,
  problemBody,
  raw,
  type RouteData,
  splitRoute,
} from './define-route.ts';

const route = (more: Partial<RouteData> = {}): RouteData => ({
  route: 'GET /api/v1/x',
  summary: 's',
  access: 'anyone',
  response: z.string(),
  ...more,
});
const ANY_TIME = ['database_down', 'disk_full', 'internal', 'not_allowed', 'starting'];
const codes = (more: Partial<RouteData>) => errorCodesOf(route(more)).filter((code) => !ANY_TIME.includes(code));

describe('the definition of a route', () => {
  it('has the names of its area', () => {
    const { one } = defineRoutes('Area', { one: route() });
    expect(one).toEqual({ ...route(), response: one.response, operationId: 'one', tag: 'Area' });
  });

  it('splits method and path', () => {
    expect(splitRoute('DELETE /api/v1/keys/{id}')).toEqual(['DELETE', '/api/v1/keys/{id}']);
  });

  it('tells a raw body from JSON', () => {
    const body = raw('A file', ['text/plain']);
    expect(body).toEqual({ kind: 'raw', description: 'A file', mediaTypes: ['text/plain'] });
    expect(raw('A file', [], [200, 206])).toMatchObject({ statuses: [200, 206] });
    expect([isRaw(body), isRaw(z.string()), isRaw(undefined)]).toEqual([true, false, false]);
  });

  it('needs a person where a key must not be enough', () => {
    const all: Access[] = ['anyone', 'caller', 'session', 'admin', 'admin-session', 'machine-key', 'key-header'];
    expect(all.filter(isForPeople)).toEqual(['session', 'admin-session']);
  });
});

describe('the errors of a route', () => {
  it('are few for a page that all may read', () => {
    expect(errorCodesOf(route())).toEqual(ANY_TIME);
  });

  it('follow from who may call it', () => {
    expect(codes({ access: 'caller' })).toEqual(['cross_site', 'not_signed_in']);
    expect(codes({ access: 'admin' })).toEqual(['cross_site', 'forbidden', 'not_signed_in']);
    expect(codes({ route: 'POST /x' })).toEqual(['cross_site']);
  });

  it('follow from what it takes', () => {
    expect(codes({ query: z.object({}) })).toEqual(['invalid']);
    expect(codes({ route: 'GET /x/{id}' })).toEqual(['invalid']);
    expect(codes({ body: z.string() })).toEqual(['broken_off', 'busy', 'invalid', 'too_large', 'unsupported_encoding']);
  });

  it('include those that it lists, each once and sorted', () => {
    expect(codes({ errors: ['not_found', 'exists', 'not_found'] })).toEqual(['exists', 'not_found']);
    const all = errorCodesOf(route({ errors: ['not_found', 'starting'] }));
    expect(all).toEqual([...ANY_TIME, 'not_found'].sort());
  });

  it('have one body, without other fields', () => {
    expect(problemBody.safeParse({ error: { code: 'a', message: 'b' } }).success).toBe(true);
    expect(problemBody.safeParse({ error: { code: 'a', message: 'b', stack: 'c' } }).success).toBe(false);
    expect(problemBody.safeParse({ error: { code: 'a', message: 'b' }, more: 1 }).success).toBe(false);
  });
});
