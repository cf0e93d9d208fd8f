/** The message that approves an open plan. Elsewhere it is an ordinary text. */
export const PLAN_APPROVAL_INPUT = 'User approved the plan. Proceed with the build.';

/** The message that continues a turn whose proposed edits were accepted. */
export const EDIT_CONTINUATION_INPUT =
  'The proposed canvas edits were applied. Continue with the remaining steps of my previous request (for example, running the flow). If editing was the entire request, just confirm briefly.';
