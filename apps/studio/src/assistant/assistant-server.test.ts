import { expect, it } from 'vitest';
import { useFakeApi } from '../testing/fake-api.ts';
import { createAssistantServer } from './assistant-server.ts';

const server = useFakeApi();

it('sends each action about the right flow and turn', async () => {
  const { start, cancel, answer, revert, redo, rewind, readSession, resetSession } = createAssistantServer('f1');
  const begun = new Response('', { headers: { 'Croft-Turn-Id': 't1' } });
  server.answer('POST /api/v1/agentic/assist/stream', begun);
  for (const each of ['cancel', 'answer', 'revert', 'rewind'])
    server.answer(`POST /api/v1/agentic/turns/t1/${each}`, { message: each });
  server.answer('POST /api/v1/flows/f1/redo', {});
  server.answer('GET /api/v1/agentic/sessions/s1', { turns: ['stored'] });
  server.answer('POST /api/v1/agentic/sessions/reset', {});
  expect(await start({ input_value: 'hi', session_id: 's1' } as never)).toBe('t1');
  await cancel('t1');
  await answer('t1', 'e1', 'accept');
  await revert('t1');
  await redo(7);
  expect(await rewind('t1', 'chat')).toEqual({ message: 'rewind' });
  expect(await readSession('s1')).toEqual(['stored']);
  await resetSession('s2', 's1');
  expect(server.requests).toEqual([
    'POST /api/v1/agentic/assist/stream {"input_value":"hi","session_id":"s1","flow_id":"f1"}',
    'POST /api/v1/agentic/turns/t1/cancel {}',
    'POST /api/v1/agentic/turns/t1/answer {"id":"e1","choice":"accept"}',
    'POST /api/v1/agentic/turns/t1/revert {}',
    'POST /api/v1/flows/f1/redo {"base":7}',
    'POST /api/v1/agentic/turns/t1/rewind {"what":"chat"}',
    'GET /api/v1/agentic/sessions/s1?flow_id=f1',
    'POST /api/v1/agentic/sessions/reset?session_id=s2&ended_session_id=s1 {}',
  ]);
});
