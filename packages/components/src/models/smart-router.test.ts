import { describe, expect, it } from 'vitest';
import { runSpec } from '../testing.ts';
import { useScriptedModels } from './testing-models.ts';

const { models, cancelled, requests } = useScriptedModels();

describe('SmartRouter', () => {
  const flow = [
    'nodes:',
    '  I: TextInput',
    '  R: SmartRouter',
    '  A: TextOutput',
    '  B: TextOutput',
    '  D: TextOutput',
    'config:',
    '  I.input_value: My bill is wrong',
    '  R.model: OpenAI/gpt-4o',
    '  R.routes: [{"route_category":"Billing","output_value":"To billing"},{"route_category":"Support"}]',
    'edges:',
    '  I.text -> R.input_text',
    '  R.category_1_result -> A.input_value',
    '  R.category_2_result -> B.input_value',
    '  R.default_result -> D.input_value',
  ];
  const routed = async (text: string) => {
    const { text: result, events } = await runSpec(flow, await models({ text }));
    return [result, events.filter(({ kind }) => kind === 'node_pruned').length];
  };

  it('takes the branch of the category that the model chooses', async () => {
    expect(await routed('{"category":"billing"}')).toEqual(['To billing', 2]);
    expect(JSON.stringify(requests()[0]?.body)).toContain('Support');
  });

  it('takes the other branch for an unknown category', async () => {
    expect(await routed('{"category":"constructor"}')).toEqual(['My bill is wrong', 2]);
  });

  it('fails with advice when the provider fails', async () => {
    const { failure } = await runSpec(flow, await models({ status: 401, body: '{"error":{"message":"bad key"}}' }));
    expect(failure).toMatchObject({ node: expect.stringContaining('SmartRouter') as string, fix: expect.any(String) });
  });

  it('closes the request when the run is cancelled', async () => {
    const services = await models({ text: 'A', stall: 'before' });
    expect(await cancelled((signal) => runSpec(flow, services, { signal }))).toBe('cancelled');
  });
});
