import { expect, it } from 'vitest';
import { STARTED_BY } from '../contract/run-starts.ts';
import { actorOf, VIA_OF_RUN } from './actor-of.ts';

it('names the user, the way and the key of a request', () => {
  expect(actorOf({ userId: 'ann', role: 'admin', via: 'session' })).toEqual({
    userId: 'ann',
    via: 'page',
    client: null,
  });
  expect(actorOf({ userId: 'ann', role: 'user', via: 'local' })).toEqual({ userId: 'ann', via: 'page', client: null });
  expect(actorOf({ userId: 'ann', role: 'user', via: 'key', key: 'agent' })).toEqual({
    userId: 'ann',
    via: 'api',
    client: null,
    key: 'agent',
  });
});

it('tells runs of people from those of programs', () => {
  const byVia = (via: string) => STARTED_BY.filter((each) => VIA_OF_RUN[each] === via);
  expect(byVia('page')).toEqual(expect.arrayContaining(['canvas', 'playground', 'page']));
  expect(byVia('page')).toHaveLength(3);
  expect(byVia('api')).toEqual(expect.arrayContaining(['key', 'openai']));
  for (const each of ['assistant', 'link', 'webhook', 'schedule', 'mcp']) expect(byVia(each)).toEqual([each]);
});
