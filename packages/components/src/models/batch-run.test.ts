import { describe, expect, it } from 'vitest';
import { runNode } from '../testing.ts';
import { useScriptedModels } from './testing-models.ts';

const { models, cancelled, close } = useScriptedModels();

const MODEL = { model: 'OpenAI/gpt-4o' };
const ROWS = [{ text: 'one' }, { text: 'two' }, { text: 'three' }];

describe('BatchRunComponent', () => {
  const node = (config: Readonly<Record<string, unknown>>, services: object) => ({
    type: 'BatchRunComponent',
    output: 'batch_results',
    input: 'df',
    value: ROWS,
    config: { ...MODEL, concurrency: 1, column_name: 'text', ...config },
    services,
  });

  it('adds the reply to each row, in order, and counts all tokens', async () => {
    const services = await models({ text: 'A' }, { text: 'B' }, { text: 'C' });
    const { value, metrics } = await runNode(node({ output_column_name: 'reply' }, services));
    expect(value).toEqual(ROWS.map((row, at) => ({ ...row, reply: 'ABC'[at], batch_index: at })));
    expect(metrics).toMatchObject({ input_tokens: 30, output_tokens: 15 });
  });

  it('reports a failed row where asked, and stops otherwise', async () => {
    const replies = [{ text: 'A' }, { status: 400, body: '{"error":{"message":"bad row"}}' }, { text: 'C' }];
    const { value } = await runNode(node({ enable_metadata: true }, await models(...replies)));
    expect(value).toMatchObject([
      { error: '' },
      { model_response: '', error: expect.stringMatching(/./) },
      { error: '' },
    ]);
    await close();
    expect((await runNode(node({}, await models(...replies)))).status).toBe('failed');
  });

  it('closes the requests when the run is cancelled', async () => {
    const services = await models({ text: 'A', stall: 'before' });
    expect(await cancelled((signal) => runNode(node({}, services), { signal }))).toBe('cancelled');
  });
});
