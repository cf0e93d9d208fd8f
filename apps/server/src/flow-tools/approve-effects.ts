import { createHash } from 'node:crypto';
import { describeEffects, outsideEffects } from '@croft/assistant';
import { ToolError } from '@croft/tools';
import type { ReadyFlow } from '../flow-runs/start-stored-flow.ts';
import type { FlowToolCall } from './flow-tool.ts';
import { refuse } from './flow-tool.ts';
import { linkTo } from './template-tools.ts';

const MAX_NAME = 80;

/**
 * Lets a flow run that reaches only the caller's files and models. For others it asks the person at the client; a client
 * that cannot ask gets the address of the page on which the person can run the flow.
 *
 * @throws ToolError `declined`, ForModel with the address
 */
export async function approveEffects(
  { desk, confirm }: Pick<FlowToolCall, 'desk' | 'confirm'>,
  flowId: string,
  { flow, registry, inputs }: ReadyFlow,
): Promise<void> {
  const effects = outsideEffects(flow, registry);
  if (effects.length === 0) return;
  const what = describeEffects(effects);
  if (confirm === undefined)
    throw refuse(
      `Not run: this flow can ${what}, so the user decides. Ask the user to run it on its page: ${linkTo(desk, flowId)}`,
    );
  // An answer counts for this flow with these inputs only.
  const token = createHash('sha256')
    .update(JSON.stringify([flowId, flow, inputs]))
    .digest('base64url')
    .slice(0, 32);
  // The name comes last, because another user may have chosen it.
  const name = flow.name
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_NAME);
  const answer = await confirm(`This flow can ${what}. Run it? Its name is "${name}".`, token);
  if (answer !== true) throw new ToolError('declined', 'Not run: the user did not allow it.');
}
