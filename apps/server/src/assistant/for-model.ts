import { FlowError } from '@croft/flow';
import { WorkspaceError } from '@croft/workspace';
import { Problem } from '../problem.ts';

/** A failure whose message a model may read: it has no host path and says what to do. */
export class ForModel extends Error {
  readonly forModel = true;
}

/** Runs an operation; its refusals become failures that the assistant's model may read. */
export async function forModel<Value>(operation: Promise<Value>): Promise<Value> {
  try {
    return await operation;
  } catch (error) {
    if (error instanceof Problem || error instanceof FlowError || error instanceof WorkspaceError)
      throw new ForModel(error.message);
    throw error;
  }
}
