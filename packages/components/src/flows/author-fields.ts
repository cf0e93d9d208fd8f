import type { Field } from '@croft/flow';

const KINDS: ReadonlySet<Field['kind']> = new Set(['code', 'secret', 'flow']);
/** Fields that start a program, that are a whole request, or that name a secret. */
const NAMES: ReadonlySet<string> = new Set(['command', 'args', 'argv', 'env', 'curl_input', 'credential']);
/** Fields that choose the server whose tools an agent gets. */
const OF_MCP: ReadonlySet<string> = new Set(['transport', 'url']);

/**
 * Whether only the author of a flow sets the field, and no request for a run: requests hold texts of people who may not
 * change the flow.
 *
 * @param type of the component, and not an alias
 */
export const isOfAuthor = (type: string, { kind, name }: Pick<Field, 'kind' | 'name'>): boolean =>
  KINDS.has(kind) || NAMES.has(name) || (type === 'MCPTools' && OF_MCP.has(name));
