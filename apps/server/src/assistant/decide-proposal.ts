import { type Canvas, landEdit, whyNoAdd } from '@croft/assistant';
import type { Edit, FlowDocument, Registry } from '@croft/flow';
import { problem } from '../routes/route.ts';
import type { Proposal } from './proposals.ts';

/** The decisions about a proposal. */
export const CHOICES = ['add', 'replace', 'accept', 'dismiss'] as const;
export type Choice = (typeof CHOICES)[number];

/**
 * Carries out a decision about a proposal. A field is changed only while it has the value that the user saw.
 *
 * @returns the version of the flow after a change; undefined where the proposal was dismissed
 * @throws Problem `invalid` for a choice that the proposal does not offer, `changed`
 */
export async function decideProposal(
  canvas: Canvas,
  registry: Registry,
  proposal: Proposal,
  choice: Choice,
): Promise<number | undefined> {
  if (choice === 'dismiss') return undefined;
  if (proposal.action === 'propose_plan')
    throw problem('invalid', 'choice: A plan is approved by the message that says so, or dismissed.');
  for (;;) {
    const { flow, version } = await canvas.read();
    const edit = await editOf(canvas, flow, registry, proposal, choice);
    // Another client may have changed what the decision would replace.
    const after = await canvas.editExactly(version, [edit]);
    if (after !== undefined) return after.version;
  }
}

/** @throws Problem `invalid`, `changed` */
async function editOf(
  canvas: Pick<Canvas, 'checkpoint'>,
  flow: FlowDocument,
  registry: Registry,
  proposal: Exclude<Proposal, { action: 'propose_plan' }>,
  choice: Choice,
): Promise<Edit> {
  if (proposal.action === 'edit_field') {
    if (choice !== 'accept') throw problem('invalid', 'choice: Send accept or dismiss.');
    const { component_id: id, field, old_value, new_value } = proposal;
    const node = flow.nodes.find((each) => each.id === id);
    const isSame = JSON.stringify(node?.values[field] ?? null) === JSON.stringify(old_value);
    if (node === undefined || (!isSame && old_value !== HIDDEN))
      throw problem('changed', `'${field}' of ${id} was changed since it was proposed. Dismiss it, and ask again.`);
    return { kind: 'configure', id, values: { [field]: new_value } };
  }
  if (choice !== 'add' && choice !== 'replace') throw problem('invalid', 'choice: Send add, replace or dismiss.');
  const why = choice === 'add' ? whyNoAdd(flow, proposal.flow, registry) : undefined;
  if (why !== undefined) throw problem('invalid', `choice: ${why} Replace the canvas instead.`);
  await canvas.checkpoint();
  return landEdit(flow, proposal.flow, choice);
}

/** The old value of a secret field is not shown, so it cannot be compared. */
const HIDDEN = '***REDACTED***';
