import { makeToolset, type ToolsetName, type ToolsetOptions } from '@croft/tools';

/** The names of a toolset, sorted. `toolsets.test.ts` of @croft/tools has the list that a person wrote. */
export function toolNames(toolset: ToolsetName, options: ToolsetOptions = {}): string[] {
  const acquire = () => {
    throw new Error('these tools are listed only');
  };
  return makeToolset(toolset, { acquire }, options)
    .map(({ name }) => name)
    .sort();
}
