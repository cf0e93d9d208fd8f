import { makeToolset } from '@croft/tools';
import { openWorkspace } from '@croft/workspace';
import { makeScratch } from '@croft/workspace/testing';
import { afterAll, expect, it } from 'vitest';
import { toolContext } from '../../../../tests/support/tool-context.ts';
import { missingSamples, withoutSamples } from './sample-files.ts';

const scratch = makeScratch(['b.csv']);
const workspace = openWorkspace(scratch.workspace);
const files = { tools: makeToolset('files', { acquire: () => workspace }) };
afterAll(() => {
  workspace.close();
  scratch.remove();
});
const templates = [{ name: 'sales', description: '', spec: '', files: { 'a.csv': 'x', 'b.csv': 'x', 'c.csv': 'x' } }];

it('names the samples of a template that the user does not have', async () => {
  const { context } = await toolContext(undefined, { turn: { files, templates } });
  expect(await missingSamples('sales', context)).toEqual(['a.csv', 'c.csv']);
  expect([await missingSamples('other', context), await missingSamples(undefined, context)]).toEqual([[], []]);
  const without = await toolContext(undefined, { turn: { templates } });
  expect(await missingSamples('sales', without.context)).toEqual([]);
});

it('says how to get them', () => {
  expect(withoutSamples(['a.csv', 'c.csv'])).toContain(
    'Not run: the flow reads a.csv and c.csv, which you do not have.',
  );
});
