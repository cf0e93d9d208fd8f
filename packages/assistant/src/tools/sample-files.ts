import { callTool } from '@croft/tools';
import type { ToolContext } from './assistant-tool.ts';
import { clientOfTurn } from '../turn-files.ts';

/** The sample files of a template that the user does not have. None where the turn cannot read files. */
export async function missingSamples(
  name: string | undefined,
  { turn: { id, files, templates }, signal }: Pick<ToolContext, 'turn' | 'signal'>,
): Promise<readonly string[]> {
  const samples = templates.find((each) => each.name === name)?.files ?? {};
  if (files === undefined) return [];
  const caller = clientOfTurn(id);
  const missing: string[] = [];
  for (const path of Object.keys(samples))
    if (!(await callTool(files, { name: 'read_file', input: { path } }, { signal, caller })).ok) missing.push(path);
  return missing;
}

/** Why a flow with such files was not run. */
export const withoutSamples = (missing: readonly string[]): string =>
  `Not run: the flow reads ${missing.join(' and ')}, which you do not have. **Add to canvas** on the page adds a sample. Then write: run it. Or name a file of yours.`;
