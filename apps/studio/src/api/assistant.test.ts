import { expect, it } from 'vitest';
import { useFakeApi } from '../testing/fake-api.ts';
import { testClient } from '../testing/queries.ts';
import { assistantConfigQuery, assistantSessionsQuery, startTurn, turnEventsUrl } from './assistant.ts';
import { MODELS_KEY } from './models.ts';

const server = useFakeApi();
const message = { flow_id: 'f', input_value: 'hi', session_id: 's' } as never;

it('gives the id of the turn of a sent message, and leaves its events to another reader', async () => {
  let isCancelled = false;
  const body = new ReadableStream({ cancel: () => void (isCancelled = true) });
  const headers = { 'Croft-Turn-Id': 't7' };
  server.answer('POST /api/v1/agentic/assist/stream', new Response(body, { headers }));
  expect(await startTurn(message)).toBe('t7');
  expect(isCancelled).toBe(true);
  expect(server.requests).toEqual([
    'POST /api/v1/agentic/assist/stream {"flow_id":"f","input_value":"hi","session_id":"s"}',
  ]);
});

it('says to reload the page where a message got no id', async () => {
  server.answer('POST /api/v1/agentic/assist/stream', {});
  await expect(startTurn(message)).rejects.toMatchObject({
    code: 'bad_answer',
    message: 'The message has no id. Reload the page.',
  });
});

it('reads the models again when variables change, and the conversations of one flow', async () => {
  server.answer('GET /api/v1/agentic/check-config', { models: [] });
  server.answer('GET /api/v1/agentic/sessions', { sessions: [] });
  const client = testClient();
  await client.fetchQuery(assistantConfigQuery);
  await client.fetchQuery(assistantSessionsQuery('f1'));
  expect(server.requests).toEqual(['GET /api/v1/agentic/check-config', 'GET /api/v1/agentic/sessions?flow_id=f1']);
  await client.invalidateQueries({ queryKey: MODELS_KEY });
  expect(client.getQueryState(assistantConfigQuery.queryKey)?.isInvalidated).toBe(true);
});

it('has the address of the events of a turn', () => {
  expect(turnEventsUrl('t/1')).toBe('http://croft.test/base/api/v1/agentic/turns/t%2F1/events');
});
