import { type Edit, editSchema, FlowError } from '@croft/flow';

/** Checks edits as the server does: it would refuse everything that is sent together with a wrong one. @throws FlowError */
export function refuseInvalid(edits: readonly Edit[]): void {
  for (const edit of edits) {
    const { error } = editSchema.safeParse(edit);
    if (error) throw new FlowError('invalid_edit', `${error.issues[0]?.message ?? 'The change is not valid'}.`);
  }
}
