import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FlowTool, NodeCall } from '@croft/flow';
import { createModels } from '@croft/models';
import { openWorkspace, type Workspace } from '@croft/workspace';
import { afterAll, describe, expect, it } from 'vitest';
import { useWorkspace } from '../../../../tests/support/use-workspace.ts';
import type { Services } from '../services.ts';
import { runNode, runSpec, textsOf, declaredBy } from '../testing.ts';
import { fileSystem } from './file-system.ts';

const { dir, workspace } = useWorkspace(['docs/a.md = # A', 'secret.txt = outside of docs']);
const parts: Workspace[] = [];
const openSubPath = (subPath: string, { readOnly }: { readonly readOnly: boolean }) => {
  const part = openWorkspace(dir, { subPath, readOnly });
  parts.push(part);
  return part;
};
const services: Services = { workspace, openSubPath, now: () => new Date(0) };
afterAll(() => parts.forEach((part) => part.close()));

describe('FileSystemTool', () => {
  const toolsFor = async (inputs: Readonly<Record<string, unknown>>): Promise<readonly FlowTool[]> =>
    (await fileSystem.tools?.({ inputs, services } as unknown as NodeCall<Services>)) ?? [];
  const call = async (inputs: Readonly<Record<string, unknown>>, name: string, args: object) => {
    const tool = (await toolsFor(inputs)).find((each) => each.name === name);
    return String(await tool?.call({ ...args }, new AbortController().signal));
  };

  it('leaves the writing tools out where it is read-only', async () => {
    const names = async (read_only: boolean) => (await toolsFor({ read_only })).map(({ name }) => name);
    expect(await names(true)).toEqual(['read_file', 'glob_search', 'grep_search']);
    expect(await names(false)).toEqual(['read_file', 'glob_search', 'grep_search', 'write_file', 'edit_file']);
  });

  it('describes itself, without paths of the host', async () => {
    const describeIt = (config: object) =>
      runNode({ type: 'FileSystemTool', output: 'metadata', config: { ...config }, services });
    expect((await describeIt({ root_path: 'docs', read_only: true })).value).toEqual({
      root_path: 'docs',
      read_only: true,
      tools_registered: ['read_file', 'glob_search', 'grep_search'],
      auto_login: true,
      mode: 'shared',
      effective_root: 'docs',
      resolution_error: null,
    });
    const { value } = await describeIt({ root_path: '../..' });
    expect(value).toMatchObject({ effective_root: null, resolution_error: expect.stringMatching(/./) as string });
    expect(JSON.stringify(value)).not.toContain(dir);
  });

  it('asks for the sub-path that a workspace takes the text for', async () => {
    const { value } = await runNode({
      type: 'FileSystemTool',
      output: 'metadata',
      config: { root_path: ' / \\ docs ' },
      services,
    });
    expect(value).toMatchObject({ root_path: 'docs', effective_root: 'docs' });
  });

  it('cannot leave the sub-path', async () => {
    expect(await call({ root_path: 'docs' }, 'read_file', { path: 'a.md' })).toContain('# A');
    for (const path of ['../secret.txt', join(dir, 'secret.txt')]) {
      const answer = await call({ root_path: 'docs' }, 'read_file', { path });
      expect(answer).toContain('error');
      expect(answer).not.toContain('outside of docs');
    }
  });

  it('writes for an agent', async () => {
    const flow = [
      'nodes:',
      '  I: ChatInput',
      '  F: FileSystemTool',
      '  A: Agent',
      '  O: ChatOutput',
      'edges:',
      '  I.message -> A.input_value',
      '  F.component_as_tool -> A.tools',
      '  A.response -> O.input_value',
      'config:',
      '  I.input_value: Write "granite" to wall.txt',
    ];
    const { status } = await runSpec(flow, { ...services, models: createModels({ variables: {} }) });
    expect([status, readFileSync(join(dir, 'wall.txt'), 'utf8')]).toEqual(['completed', 'granite']);
  });

  it('gives no tools to a cancelled run', async () => {
    const { status } = await runNode(
      { type: 'FileSystemTool', output: 'metadata', services },
      { signal: AbortSignal.abort() },
    );
    expect(status).toBe('cancelled');
  });
});

it('declares its effects and ports', () => {
  expect(declaredBy(fileSystem)).toEqual([
    'FileSystemTool: workspace-write',
    'root_path: text default="" variables=false',
    'read_only: switch advanced default=false',
    'metadata: gives Data',
  ]);
});

it('shows these texts to people and models', () => {
  expect(textsOf(fileSystem.descriptor)).toEqual([
    'File system (folder): Gives an agent tools that read, search, write and edit files of the workspace.',
    'tools | files | read | write | edit | agent | FileSystem | tool',
    'root_path: Workspace Sub-path | A directory inside the workspace. The tools cannot leave it. Empty: the whole workspace.',
    'read_only: Read-only | Leaves out the tools that write and edit.',
    'metadata: JSON | the tools and where they work',
  ]);
});
