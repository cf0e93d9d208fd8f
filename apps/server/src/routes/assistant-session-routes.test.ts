import { beforeEach, describe, expect, it } from 'vitest';
import { routeCaller } from '../../../../tests/support/route-caller.ts';
import { type AssistantSessionOptions, makeAssistantSessionRoutes } from './assistant-session-routes.ts';

let calls: unknown[][];
let values: { name: string; value: string }[];
const note =
  (what: string, gives: unknown) =>
  (...args: unknown[]) => {
    calls.push([what, ...args]);
    return gives;
  };
beforeEach(() => {
  calls = [];
  values = [];
});
const at = new Date('2026-01-02T03:04:05Z');
const time = at.toISOString();
const TURN = { id: 't1', status: 'running', message: 'm', reply: 'r', events: [], restorePointId: 'p', startedAt: at };
const call = (target: string) =>
  routeCaller(
    makeAssistantSessionRoutes({
      liveTurns: { find: (_: string, id: string) => (id === 't1' ? {} : undefined) },
      metrics: { reset: note('reset', undefined) },
      turnStore: {
        sessions: note('sessions', [{ sessionId: 's', preview: 'p', turns: 2, updatedAt: at, more: 1 }]),
        turns: note('turns', [
          TURN,
          { ...TURN, id: 't2', restorePointId: null },
          { ...TURN, id: 't3', status: 'complete' },
        ]),
        remove: note('remove', 3),
      },
      userComponents: { clearGenerated: note('clear', 2) },
      variables: { open: async () => values },
    } as unknown as AssistantSessionOptions),
  )(target.replace('/a/', '/api/v1/agentic/'));

describe('conversations with the assistant', () => {
  it('are listed for a flow', async () => {
    expect((await call('GET /a/sessions?flow_id=f')).body).toEqual({
      sessions: [{ session_id: 's', preview: 'p', turns: 2, updated_at: time }],
    });
    expect(calls).toEqual([['sessions', 'ann', 'f']]);
  });

  it('have turns, of which one is interrupted that no server runs any more', async () => {
    const { turns } = (await call('GET /a/sessions/s?flow_id=f')).body;
    const shown = { id: 't1', status: 'running', message: 'm', reply: 'r', events: [], started_at: time };
    expect(turns).toEqual([
      { ...shown, can_rewind_canvas: true },
      { ...shown, id: 't2', status: 'interrupted', can_rewind_canvas: false },
      { ...shown, id: 't3', status: 'complete', can_rewind_canvas: true },
    ]);
    expect(calls).toEqual([['turns', { userId: 'ann', flowId: 'f', sessionId: 's' }]]);
  });

  it('are removed, or ended with their components', async () => {
    expect((await call('DELETE /a/sessions/s?flow_id=f')).body).toEqual({ id: 's', removed: 3 });
    expect((await call('POST /a/sessions/reset?session_id=new&ended_session_id=old')).body).toEqual({
      status: 'ok',
      components_cleared: 2,
      session_id: 'new',
    });
    expect((await call('POST /a/sessions/reset')).body.session_id).toBeNull();
    expect(calls.slice(0, 3)).toEqual([
      ['remove', { userId: 'ann', flowId: 'f', sessionId: 's' }],
      ['clear', 'ann', 'old'],
      ['reset', 2],
    ]);
  });
});

describe('the models of the assistant', () => {
  it('are the offline one without keys', async () => {
    expect((await call('GET /a/check-config')).body).toEqual({
      enabled: true,
      configured: false,
      configured_providers: [],
      providers: [],
      default_provider: 'croft',
      default_model: 'offline',
    });
  });

  it('are those of the keys of the user', async () => {
    values = [{ name: 'OPENAI_API_KEY', value: 'sk-1' }];
    const { body } = await call('GET /a/check-config');
    expect(body).toMatchObject({ configured: true, configured_providers: ['OpenAI'], default_provider: 'OpenAI' });
    const [provider] = body.providers;
    expect(provider).toMatchObject({ name: 'OpenAI', configured: true, default_model: provider.models[0].name });
    expect(provider.models[0]).toEqual({ name: body.default_model, display_name: body.default_model });
  });
});
