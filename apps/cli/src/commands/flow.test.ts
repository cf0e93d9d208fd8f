import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TEMPLATES } from '@croft/components';
import { Command } from 'commander';
import { beforeEach, expect, it } from 'vitest';
import { captureOutput } from '../../../../tests/support/capture-output.ts';
import { testDir } from '../../../../tests/support/temp-dir.ts';
import { addFlowCommand } from './flow.ts';

const ECHO = 'name: Echo\nnodes:\n  I: ChatInput\n  O: ChatOutput\nedges:\n  I.message -> O.input_value\n';
let dir: string;
let file: string;
let output: { out: string; err: string };
beforeEach(() => {
  dir = testDir();
  file = join(dir, 'a.flow');
  writeFileSync(file, ECHO);
  output = captureOutput();
});

const program = () => {
  const made = new Command('croft').exitOverride();
  addFlowCommand(made);
  return made;
};
async function flow(...args: string[]): Promise<string> {
  output.out = '';
  await program().parseAsync(['flow', ...args], { from: 'user' });
  return output.out;
}

it('has subcommands with summaries', () => {
  const [command] = program().commands;
  expect(command?.summary()).toBe('create, check, import, print or draw a flow');
  expect(command?.description()).toMatch(/^Creates a flow from a template, .+ Runs nothing\.$/);
  expect(command?.commands.map((each) => `${each.name()}: ${each.summary()}`)).toEqual([
    'templates: list the templates',
    'new: create a flow from a template',
    'check: list what is wrong with a flow',
    'import: convert an export of Langflow',
    'spec: print a flow as text',
    'draw: draw a flow in the terminal',
  ]);
  for (const each of command?.commands ?? []) expect(each.description()).toMatch(/^[A-Z].+\.$/);
});

it('lists and writes templates', async () => {
  expect(await flow('templates')).toContain(TEMPLATES[0]?.name);
  expect(JSON.parse(await flow('templates', '--json'))).toHaveLength(TEMPLATES.length);
  const name = TEMPLATES.find(({ files }) => files !== undefined)?.name as string;
  expect(await flow('new', name)).toContain('nodes:');
  const out = join(dir, 'new.flow');
  await flow('new', name, '--out', out, '--with-files');
  expect(readFileSync(out, 'utf8')).toContain('nodes:');
});

it('checks a flow with the components of a directory', async () => {
  expect(await flow('check', file)).toBe('ok  The flow can run.\n');
  expect(await flow('check', file, '--json', '--dir', dir)).toBe('[]\n');
  expect(await flow('spec', file, '--dir', dir)).toBe(ECHO);
  expect(await flow('draw', file, '--dir', dir)).toContain('ChatOutput');
  expect(await flow('spec', file)).toBe(ECHO);
  expect(await flow('draw', file)).toContain('ChatOutput');
});

it('converts an export', async () => {
  writeFileSync(file, JSON.stringify({ name: 'Old', data: { nodes: [], edges: [] } }));
  expect(JSON.parse(await flow('import', file, '--json'))).toMatchObject({ flow: { name: 'Old' } });
  const out = join(dir, 'new.json');
  expect(await flow('import', file, '--out', out)).toBe('');
  expect(JSON.parse(readFileSync(out, 'utf8'))).toMatchObject({ name: 'Old' });
});
