/** The rules that answer without a provider. */
export const OFFLINE = 'croft/offline';

const COUNT = 'build a flow that reads notes.md from my workspace and counts its words, then run it';
const LIST_FILES = 'build a flow that lists all files in my folder, then run it';
const SUMMARISE = 'build a flow that summarises a document';
const FOR_FLOW = ['explain this flow', 'run it', 'document this flow in FLOW.md'];

/**
 * First messages that the model can carry out. A flow that summarises needs a provider.
 *
 * @param isEmpty whether the flow has no components
 * @param model `provider/model`
 */
export function startersFor(isEmpty: boolean, model: string): readonly string[] {
  if (!isEmpty) return FOR_FLOW;
  return [COUNT, model === OFFLINE ? LIST_FILES : SUMMARISE];
}
