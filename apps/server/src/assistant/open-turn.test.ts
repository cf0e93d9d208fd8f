import { TEMPLATES } from '@croft/components';
import { emptyFlow } from '@croft/flow';
import { describe, expect, it } from 'vitest';
import { useSharedDatabase } from '../../../../tests/store/use-shared-database.ts';
import { TEST_CALLER } from '../../../../tests/support/route-caller.ts';
import { createFlowComponents } from '../components/flow-components.ts';
import { createFlow } from '../flows/create-flow.ts';
import { Problem } from '../problem.ts';
import type { Db } from '../store/database.ts';
import { modelOf, type NewTurn, openTurn, type OpenTurnOptions } from './open-turn.ts';

let db: Db;
const userId = 'ot-ann';
useSharedDatabase((database) => void (db = database.db), [userId]);

async function open(more: Partial<NewTurn> = {}, parts: object = {}) {
  const { flow } = await createFlow(db, userId, emptyFlow('Mine'));
  const asked: unknown[][] = [];
  const options = {
    allRuns: {
      list: async (...args: unknown[]) => (asked.push(['list', ...args]), { runs: [{ id: 'r1' }] }),
      find: async (_: string, id: string) =>
        id === 'r1' ? { status: 'failed', text: null, failure: { message: 'x' } } : undefined,
    },
    events: { send: () => {} },
    flowComponents: createFlowComponents({ list: async () => ({ components: [], skipped: [] }) } as never),
    log: {},
    settings: { flowHosts: [] },
    storage: async () => db,
    toolsets: { tableOf: (...args: unknown[]) => (asked.push(['tableOf', ...args]), { tools: ['files'] }) },
    userComponents: {},
    variables: {
      open: async () => [
        { name: 'OPENAI_API_KEY', value: 'sk-secret', kind: 'credential', hosts: [] },
        { name: 'REGION', value: 'north-region', kind: 'text', hosts: [] },
      ],
    },
    ...parts,
  } as unknown as OpenTurnOptions;
  const request = {
    id: 't1',
    caller: { ...TEST_CALLER, userId },
    flowId: flow.id,
    sessionId: 's1',
    message: 'hello',
    history: [],
    ask: async () => 'yes',
    signal: new AbortController().signal,
    ...more,
  } satisfies NewTurn;
  return { turn: await openTurn(options, request), asked, request, flowId: flow.id };
}

describe('a turn of the assistant', () => {
  it('has the message, the flow, the files and the models of its user', async () => {
    const { turn, asked, request } = await open({
      steps: 1,
      retries: 2,
      tokens: 3,
      skipAll: true,
      plan: 'p',
      continues: 'plan',
    });
    const { ask, signal, history } = request;
    expect(turn).toMatchObject({
      id: 't1',
      sessionId: 's1',
      message: 'hello',
      plan: 'p',
      continues: 'plan',
      skipAll: true,
    });
    expect([turn.ask, turn.signal, turn.history]).toEqual([ask, signal, history]);
    expect(turn.limits).toEqual({ steps: 1, retries: 2, tokens: 3 });
    expect((await turn.canvas.read()).flow.name).toBe('Mine');
    expect(turn.files).toEqual({ tools: ['files'] });
    expect(asked).toEqual([['tableOf', expect.objectContaining({ userId, via: 'assistant' }), 'files']]);
    expect(turn.models.preferred.provider).toBe('OpenAI');
    expect(turn.model).toBeUndefined();
    expect(turn.templates).toEqual(
      TEMPLATES.map(({ name, description, spec, input, files }) => ({ name, description, spec, input, files })),
    );
    expect(turn.registry.get('ChatInput')).toBeDefined();
  });

  it('hides credentials, and not other texts', async () => {
    const { turn } = await open();
    expect([...turn.secrets]).toContain('sk-secret');
    expect([...turn.secrets]).not.toContain('north-region');
  });

  it('hides the keys of providers, of whatever kind they are', async () => {
    const own = [{ name: 'OPENAI_API_KEY', value: 'sk-shown-key', kind: 'text', hosts: [] }];
    const { turn } = await open({}, { variables: { open: async () => own } });
    expect([...turn.secrets]).toContain('sk-shown-key');
  });

  it('starts no run of a flow that changed, and fails where it cannot start one', async () => {
    const start = async (code: 'changed' | 'busy') => {
      const readFlow = async () => {
        throw new Problem(409, code, 'Not now.');
      };
      const { turn } = await open({}, { readFlow });
      return turn.runs.start('hello', 1);
    };
    expect(await start('changed')).toBeUndefined();
    await expect(start('busy')).rejects.toThrow('Not now.');
  });

  it('reads the newest run of the flow', async () => {
    const { turn, asked, flowId } = await open();
    expect(await turn.runs.latest()).toEqual({ status: 'failed', text: '', failure: { message: 'x' } });
    expect(asked.at(-1)).toEqual(['list', userId, { flowId, limit: 1 }]);
    expect(await turn.runs.read('r1')).toMatchObject({ status: 'failed' });
    expect(await turn.runs.read('none')).toBeUndefined();
    const none = await open({}, { allRuns: { list: async () => ({ runs: [] }), find: async () => undefined } });
    expect(await none.turn.runs.latest()).toBeUndefined();
  });

  it('needs a flow of its user', async () => {
    await expect(open({ flowId: 'none' })).rejects.toBeInstanceOf(Problem);
  });
});

it('takes the model of the request', () => {
  expect(modelOf({ provider: undefined, modelName: undefined })).toBeUndefined();
  expect(modelOf({ provider: undefined, modelName: 'openai/x' })).toEqual({ provider: 'OpenAI', name: 'x' });
  expect(modelOf({ provider: 'openai', modelName: 'x' })).toEqual({ provider: 'OpenAI', name: 'x' });
  expect(() => modelOf({ provider: 'none', modelName: undefined })).toThrow();
  expect(modelOf({ provider: 'openai', modelName: undefined })).toEqual({ provider: 'OpenAI', name: '' });
});
