import type { Change } from '../api/activity.ts';

const SOURCE: Record<Change['via'], string> = {
  mcp: 'MCP client',
  page: 'In the browser',
  api: 'API key',
  gateway: 'Gateway',
  cli: 'Command line',
  assistant: 'Assistant',
  webhook: 'Webhook',
  schedule: 'Schedule',
  link: 'Public link',
};

/** How a run was started, after `started`. */
const START: Record<Change['via'], string> = {
  mcp: 'by an MCP client',
  page: 'in the browser',
  api: 'over the API',
  gateway: 'by the gateway',
  cli: 'on the command line',
  assistant: 'by the assistant',
  webhook: 'by a webhook',
  schedule: 'by a schedule',
  link: 'by a visitor of the public link',
};

/** The verb of each tool. Other tools have that of their change. */
const DONE: Readonly<Record<string, string>> = {
  template: 'Added with a template:',
  write_file: 'Wrote',
  edit_file: 'Edited',
  append_file: 'Appended to',
  create_dir: 'Created',
  move_path: 'Moved',
  copy_path: 'Copied',
  delete_path: 'Deleted',
  undo: 'Undid a change of',
  save_component: 'Saved the component',
  generate_component: 'The assistant wrote the component',
  remove_component: 'Deleted the component',
};

const OF_KIND: Readonly<Record<NonNullable<Change['kind']>, string>> = {
  create: 'Created',
  update: 'Changed',
  append: 'Appended to',
  delete: 'Deleted',
  move: 'Moved',
  mkdir: 'Created',
};

/** Tools whose second path is the new one. */
const HAS_TARGET: ReadonlySet<string> = new Set(['move_path', 'copy_path']);

/** The verb of a change, and what it changed. */
export function changeText({ tool, kind, paths }: Pick<Change, 'tool' | 'kind' | 'paths'>): {
  readonly verb: string;
  readonly object: string;
} {
  const ofKind = kind === null ? 'Changed' : OF_KIND[kind];
  const object = paths.join(HAS_TARGET.has(tool) ? ' → ' : ', ');
  if (tool === 'upload') return { verb: kind === 'update' ? 'Replaced' : 'Uploaded', object };
  if (tool === 'flow') return { verb: `A run ${kind === 'update' ? 'wrote' : ofKind.toLowerCase()}`, object };
  const verb = (tool === 'write_file' && kind === 'create' ? OF_KIND.create : DONE[tool]) ?? ofKind;
  return { verb, object: tool.endsWith('_component') ? object.replace(/^\.components\/|\.ts$/g, '') : object };
}

/** The file that a change left behind; undefined where there is none, or more than one. */
export function changedFile({ tool, kind, paths, morePaths }: Pick<Change, 'tool' | 'kind' | 'paths' | 'morePaths'>) {
  const [path] = paths;
  const isWritten = kind === 'create' || kind === 'update' || kind === 'append';
  return isWritten && tool !== 'undo' && paths.length === 1 && morePaths === 0 ? path : undefined;
}

/** A piece of the line about the maker of a change: our words, or a name that others chose, with the page that it leads to. */
export type SourcePart = string | { readonly name: string; readonly to?: string };

/** The maker of a change. */
export function changeSource(change: Pick<Change, 'tool' | 'via' | 'client' | 'key' | 'flow'>): readonly SourcePart[] {
  const { tool, via, key, flow } = change;
  const client = (via === 'mcp' && change.client) || null;
  const ofKey: SourcePart[] = key === null ? [] : [' with the API key ', { name: key }];
  if (flow !== null) {
    const { name, runId, isRunKept } = flow;
    const named = runId !== null && isRunKept ? { name, to: `/runs/${encodeURIComponent(runId)}` } : { name };
    const starter = client === null ? [START[via]] : ['by ', { name: client }];
    return ['Flow ', named, ', started', ...(via === 'api' && key !== null ? [] : [' ', ...starter]), ...ofKey];
  }
  // Records of older builds do not name the flow.
  if (tool === 'flow') return ['Flow'];
  if (via === 'api' && key !== null) return [SOURCE.api, ' ', { name: key }];
  return [client === null ? SOURCE[via] : { name: client }, ...ofKey];
}
