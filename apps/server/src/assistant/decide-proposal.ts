import { type Canvas, isShownAs, landEdit, proposesMark, whyNoAdd } from '@croft/assistant';
import type { Edit, FlowDocument, Registry } from '@croft/flow';
import { problem } from '../routes/route.ts';
import type { Proposal } from './proposals.ts';

/** The parts that a decision uses. */
export interface DecisionOptions {
  readonly registry: Registry;
  /** The texts that proposals hide. */
  readonly secrets: ReadonlySet<string>;
}

/** The decisions about a proposal. */
export const CHOICES = ['add', 'replace', 'accept', 'dismiss'] as const;
export type Choice = (typeof CHOICES)[number];

/**
 * Carries out a decision about a proposal. A field is changed only while it has the value that the user saw, as far as
 * that showed it.
 *
 * @returns the version of the flow after a change; undefined where the proposal was dismissed
 * @throws Problem `invalid` for a choice that the proposal does not offer, `changed`
 */
export async function decideProposal(
  canvas: Canvas,
  options: DecisionOptions,
  proposal: Proposal,
  choice: Choice,
): Promise<number | undefined> {
  requireChoice(proposal, choice);
  if (choice === 'dismiss' || proposal.action === 'propose_plan') return undefined;
  for (;;) {
    const { flow, version } = await canvas.read();
    const edit = await editOf(canvas, flow, options, proposal, choice);
    // Another client may have changed what the decision would replace.
    const after = await canvas.editExactly(version, [edit]);
    if (after !== undefined) return after.version;
  }
}

/** Asserts that a proposal offers a choice. @throws Problem `invalid` */
export function requireChoice({ action }: Proposal, choice: string): asserts choice is Choice {
  if (!CHOICES.includes(choice as Choice)) throw problem('invalid', `choice: Send one of ${CHOICES.join(', ')}.`);
  if (choice === 'dismiss') return;
  if (action === 'propose_plan')
    throw problem('invalid', 'choice: A plan is approved by the message that says so, or dismissed.');
  if (action === 'edit_field' && choice !== 'accept') throw problem('invalid', 'choice: Send accept or dismiss.');
  if (action === 'set_flow' && choice === 'accept') throw problem('invalid', 'choice: Send add, replace or dismiss.');
}

/** Asserts that a choice can be carried out on a flow. @throws Problem `invalid`, `changed` */
export function requirePossible(
  flow: FlowDocument,
  { registry, secrets }: DecisionOptions,
  proposal: Proposal,
  choice: Choice,
): void {
  if (choice === 'dismiss') return;
  if (proposal.action !== 'propose_plan' && proposesMark(proposal))
    throw problem(
      'invalid',
      'choice: The proposal has a secret, which a conversation does not store. Dismiss it, store the secret as a variable, and ask again with the name of the variable.',
    );
  if (proposal.action === 'edit_field') {
    const { component_id: id, field, old_value } = proposal;
    const node = flow.nodes.find((each) => each.id === id);
    if (node === undefined || !isShownAs(node.values[field] ?? null, old_value, secrets))
      throw problem('changed', `'${field}' of ${id} was changed since it was proposed. Dismiss it, and ask again.`);
  }
  if (proposal.action !== 'set_flow' || choice !== 'add') return;
  const why = whyNoAdd(flow, proposal.flow, registry);
  if (why !== undefined) throw problem('invalid', `choice: ${why} Replace the canvas instead.`);
}

/** @throws Problem `invalid`, `changed` */
async function editOf(
  canvas: Pick<Canvas, 'checkpoint'>,
  flow: FlowDocument,
  options: DecisionOptions,
  proposal: Exclude<Proposal, { action: 'propose_plan' }>,
  choice: Exclude<Choice, 'dismiss'>,
): Promise<Edit> {
  requirePossible(flow, options, proposal, choice);
  if (proposal.action === 'edit_field')
    return { kind: 'configure', id: proposal.component_id, values: { [proposal.field]: proposal.new_value } };
  await canvas.checkpoint();
  return landEdit(flow, proposal.flow, choice === 'add' ? 'add' : 'replace');
}
