import { fixedWorkspace, makeToolset } from '@croft/tools';
import type { Workspace } from '@croft/workspace';
import { ComponentError, type CroftComponent, requireWorkspace, type Services } from '../services.ts';
import { toText } from '../values.ts';
import { asFlowTool } from './as-flow-tool.ts';

/** Tools for the files of the workspace. */
export const fileSystem: CroftComponent = {
  descriptor: {
    type: 'FileSystemTool',
    label: 'File system',
    description: 'Gives an agent tools that read, search, write and edit files of the workspace.',
    category: 'tools',
    icon: 'folder',
    keywords: ['files', 'read', 'write', 'edit', 'agent'],
    aliases: ['FileSystem'],
    tool: true,
    effects: ['workspace-write'],
    fields: [
      {
        name: 'root_path',
        label: 'Workspace Sub-path',
        kind: 'text',
        default: '',
        variables: false,
        help: 'A directory inside the workspace. The tools cannot leave it. Empty: the whole workspace.',
      },
      {
        name: 'read_only',
        label: 'Read-only',
        kind: 'switch',
        default: false,
        advanced: true,
        help: 'Leaves out the tools that write and edit.',
      },
    ],
    outputs: [{ name: 'metadata', label: 'JSON', types: ['Data'], help: 'the tools and where they work' }],
  },
  run({ inputs, services }) {
    const subPath = subPathOf(inputs['root_path']);
    const readOnly = inputs['read_only'] === true;
    const metadata = {
      root_path: subPath,
      read_only: readOnly,
      tools_registered: toolNames(readOnly),
      auto_login: services.namespace?.autoLogin ?? true,
      mode: services.namespace?.mode ?? 'shared',
    };
    try {
      openPart(services, subPath, readOnly);
      // Inside the workspace: flows and models see no path of the host.
      return { metadata: { ...metadata, effective_root: subPath === '' ? '.' : subPath, resolution_error: null } };
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return { metadata: { ...metadata, effective_root: null, resolution_error: reason } };
    }
  },
  tools({ inputs, services }) {
    const readOnly = inputs['read_only'] === true;
    const workspace = openPart(services, subPathOf(inputs['root_path']), readOnly);
    const tools = makeToolset('files', fixedWorkspace(workspace), { readOnly });
    return tools.map((tool) => asFlowTool(tool, tools));
  },
};

/** A workspace ignores the same characters, so that rules and records have the path that it opens. */
const subPathOf = (value: unknown): string => toText(value ?? '').replace(/^[\s/\\]+|\s+$/g, '');

const toolNames = (readOnly: boolean): readonly string[] => [
  'read_file',
  'glob_search',
  'grep_search',
  ...(readOnly ? [] : ['write_file', 'edit_file']),
];

function openPart(services: Services, subPath: string, readOnly: boolean): Workspace {
  const whole = requireWorkspace(services);
  if (subPath === '') return whole;
  if (services.openSubPath) return services.openSubPath(subPath, { readOnly });
  throw new ComponentError('This run has no parts of the workspace.', 'Empty the field Workspace Sub-path.');
}
