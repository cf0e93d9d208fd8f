import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FlowTool, NodeCall } from '@croft/flow';
import { createModels } from '@croft/models';
import { openWorkspace, type Workspace } from '@croft/workspace';
import { afterAll, describe, expect, it } from 'vitest';
import { useWorkspace } from '../../../../tests/support/use-workspace.ts';
import { readPage } from '../data/read-page.ts';
import type { Services } from '../services.ts';
import { runNode, runSpec } from '../testing.ts';
import { fileSystem } from '../tools/file-system.ts';
import type { DocumentService } from './document-service.ts';

const { dir, workspace } = useWorkspace([
  'docs/a.md = # A',
  'docs/b.html = <title>Bee</title><script>x()</script><h1>Hello</h1><p>Some <b>text</b></p>',
  'docs/c.bin = \0\x01\x02',
  'docs/deep/d.txt = deep',
  'secret.txt = outside of docs',
]);
const parts: Workspace[] = [];
const openSubPath = (subPath: string, { readOnly }: { readonly readOnly: boolean }) => {
  const part = openWorkspace(dir, { subPath, readOnly });
  parts.push(part);
  return part;
};
const services: Services = { workspace, openSubPath, now: () => new Date(0) };
afterAll(() => parts.forEach((part) => part.close()));

const cancelled = { signal: AbortSignal.abort() };

describe('Directory', () => {
  const read = (config: object) => runNode({ type: 'Directory', output: 'dataframe', config: { ...config }, services });

  it('reads the files of the types, with the directories below', async () => {
    expect((await read({ path: 'docs', types: 'md, .TXT' })).value).toEqual([
      { text: '# A', file_path: 'docs/a.md' },
      { text: 'deep', file_path: 'docs/deep/d.txt' },
    ]);
    expect((await read({ path: 'docs', types: 'md,txt', recursive: false })).value).toHaveLength(1);
  });

  it('cannot leave the workspace, and names a file that fails', async () => {
    const { status, failure } = await read({ path: '..' });
    expect([status, failure?.message.includes(dir)]).toEqual(['failed', false]);
    expect((await read({ path: 'docs', types: 'bin' })).failure?.message).toContain('docs/c.bin');
    expect((await read({ path: 'docs', types: 'bin', silent_errors: true })).value).toEqual([]);
  });

  it('reads nothing once the run is cancelled', async () => {
    const ran = await runNode({ type: 'Directory', output: 'dataframe', services }, cancelled);
    expect([ran.status, ran.value]).toEqual(['cancelled', undefined]);
  });
});

describe('DocumentText', () => {
  const read = (file: unknown, output: string, more: object = {}) =>
    runNode({ type: 'DocumentText', output, config: { file, ...more }, services });

  it('reads HTML as Markdown with its title, and text as it is', async () => {
    expect((await read(['docs/b.html', 'docs/a.md'], 'documents')).value).toEqual([
      { text: '# Hello\n\nSome **text**', path: 'docs/b.html', title: 'Bee' },
      { text: '# A', path: 'docs/a.md', title: '' },
    ]);
    expect((await read('docs/a.md', 'text')).value).toEqual({ text: '# A' });
  });

  it('has a large HTML page read apart from the process of the run, and a small one not', async () => {
    writeFileSync(join(dir, 'large.html'), `<title>Large</title>${'<p>row</p>'.repeat(1_000)}`);
    const sizes: number[] = [];
    const page: DocumentService['page'] = (html, url, options) => {
      sizes.push(html.length);
      return readPage(html, url, options);
    };
    const documents = { ...services.documents, page } as DocumentService;
    const node = { type: 'DocumentText', output: 'documents', config: { file: ['docs/b.html', 'large.html'] } };
    expect((await runNode({ ...node, services: { ...services, documents } })).value).toMatchObject([
      { title: 'Bee' },
      { title: 'Large' },
    ]);
    expect(sizes).toEqual([10_020]);
    rmSync(join(dir, 'large.html'));
  });

  it('reads a file that another component gives', async () => {
    const flow = [
      'nodes:',
      '  F: File',
      '  D: DocumentText',
      '  O: ChatOutput',
      'edges:',
      '  F.file -> D.file',
      '  D.text -> O.input_value',
      'config:',
      '  F.path: docs/b.html',
    ];
    expect((await runSpec(flow, services)).text).toContain('# Hello');
  });

  it.each([
    ['docs/c.bin', 'cannot be read as text'],
    ['docs/none.md', 'none.md'],
    ['../secret.txt', '../secret.txt'],
  ])('explains why %s fails', async (path, message) => {
    const { failure } = await read(path, 'text');
    expect(failure?.message).toContain(message);
    expect(failure?.message).not.toContain(dir);
    expect((await read([path, 'docs/a.md'], 'text', { silent_errors: true })).value).toEqual({ text: '# A' });
  });

  it('reads nothing once the run is cancelled', async () => {
    const node = { type: 'DocumentText', output: 'text', config: { file: 'docs/a.md' }, services };
    expect((await runNode(node, cancelled)).status).toBe('cancelled');
  });
});

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
    const { status } = await runNode({ type: 'FileSystemTool', output: 'metadata', services }, cancelled);
    expect(status).toBe('cancelled');
  });
});
