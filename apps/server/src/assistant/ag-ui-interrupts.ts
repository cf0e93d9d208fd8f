import type { TurnQuestion } from '@croft/assistant';
import { UNATTENDED_MS } from './live-turns.ts';
import type { Proposal } from './proposals.ts';

/** A pause of a run until a person decides. The next run of the thread carries the decision. */
export interface AgUiInterrupt {
  /** `<turn>/<question or proposal>` */
  readonly id: string;
  readonly reason: string;
  readonly message: string;
  /** JSON Schema of the decision. */
  readonly responseSchema: Readonly<Record<string, unknown>>;
  /** ISO 8601. Absent for proposals, which are open until they are decided or the next message. */
  readonly expiresAt?: string;
}

/** A question of a turn, which waits for the answer as long as a turn without readers lives. */
export const interruptOfQuestion = (turnId: string, { id, kind, text, choices }: TurnQuestion): AgUiInterrupt => ({
  id: `${turnId}/${id}`,
  reason: kind,
  message: text,
  responseSchema: schemaOf(kind === 'question' ? { examples: choices } : { enum: choices }),
  expiresAt: new Date(Date.now() + UNATTENDED_MS).toISOString(),
});

/** A proposal of a turn that has ended. */
export function interruptOfProposal(turnId: string, proposal: Proposal): AgUiInterrupt {
  const parts = { id: `${turnId}/${proposal.id}`, reason: proposal.action };
  switch (proposal.action) {
    case 'propose_plan':
      return { ...parts, message: proposal.markdown, responseSchema: schemaOf({ enum: ['approve', 'dismiss'] }) };
    case 'edit_field':
      return { ...parts, message: proposal.description, responseSchema: schemaOf({ enum: ['accept', 'dismiss'] }) };
    case 'set_flow': {
      const choices = [...(proposal.no_add === undefined ? ['add'] : []), 'replace', 'dismiss'];
      return { ...parts, message: `Put ${proposal.name} on the canvas?`, responseSchema: schemaOf({ enum: choices }) };
    }
  }
}

const schemaOf = (choice: object): AgUiInterrupt['responseSchema'] => ({
  type: 'object',
  properties: { choice: { type: 'string', ...choice } },
  required: ['choice'],
});
