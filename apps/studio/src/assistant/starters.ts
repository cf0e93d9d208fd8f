/** The rules that answer without a provider. */
export const OFFLINE = 'croft/offline';

const LIST_FILES = 'build a flow that lists all files in my folder, then run it';
const SUMMARISE = 'build a flow that summarises a document';
const FOR_FLOW = ['explain this flow', 'run it', 'document this flow in FLOW.md'];

const FIND_ADDRESSES = 'build a flow that finds all email addresses in a message';
/** A file that a message can name as it is, and that has text. */
const TEXT_FILE = /^[\w-]+\.(?:md|txt|csv|json)$/i;

/**
 * First messages that the model can carry out. A flow that summarises needs a provider.
 *
 * @param isEmpty whether the flow has no components
 * @param model `provider/model`
 * @param files names of files of the user, of which the first text is suggested
 */
export function startersFor(isEmpty: boolean, model: string, files: readonly string[]): readonly string[] {
  if (!isEmpty) return FOR_FLOW;
  const file = files.find((name) => TEXT_FILE.test(name));
  const count = file && `build a flow that reads ${file} from my workspace and counts its words, then run it`;
  return [count ?? FIND_ADDRESSES, model === OFFLINE ? LIST_FILES : SUMMARISE];
}
