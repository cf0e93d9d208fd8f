import { applyEdits, type Edit, type FlowContent, type FlowDocument, nodeTitle, type Registry } from '@croft/flow';
import type { FlowUpdate } from './events.ts';
import { hasMark, REDACTED } from './hide-secrets.ts';

/** A change would write a secret, or the mark in its place. */
export class SecretRefused extends Error {
  readonly forModel = true;
  readonly forPerson: string;
  /** For the list of what was not carried out. */
  readonly part: string;

  /** @param place of the text, for a person */
  constructor(place: string, forModel: string, advice = IN_FLOW) {
    super(forModel);
    this.name = 'SecretRefused';
    this.part = `the secret in ${place}`;
    this.forPerson = `Not stored: the text for ${place} has a secret, which a conversation does not keep. ${advice}`;
  }
}

const IN_FLOW =
  'Put the credential into a secret field of the component, or store it as a variable and use the name of the variable. Or send the message again with another text.';

/** The refusal of a file with the mark: it would replace the secret. */
export const markInFileRefused = (): SecretRefused =>
  new SecretRefused(
    'the file',
    `Not written: the call has ${REDACTED}, which only stands for a secret that is hidden from you, and would replace the secret. Change other lines of the file with edit_file, or ask for another text.`,
    'Write it into the file yourself, or send the message again with another text.',
  );

/** The refusal of a text that has the mark. */
export const markRefused = (place: string, forModel = place): SecretRefused =>
  new SecretRefused(
    place,
    `Not stored: the text for ${forModel} has ${REDACTED}, which only stands for a secret that is hidden from you. Do not write this mark. Leave the value empty or use the name of a variable, and say that the credential belongs into a secret field of the component or into a variable. For other values, ask for a text without the secret.`,
  );

/**
 * Asserts that edits write no mark of a hidden secret: messages, results and earlier calls have it in place of the secret. A
 * text that the flow has at the same place may stay.
 *
 * @throws SecretRefused
 */
export function refuseMarks(flow: FlowDocument, edits: readonly Edit[], registry: Registry): void {
  if (!hasMark(edits)) return;
  refuseNewMarks(applyEdits(flow, edits).flow, registry, flow);
}

/** The same for a whole flow. @throws SecretRefused */
export function refuseNewMarks(flow: FlowContent, registry: Registry, before?: FlowContent): void {
  const known = new Set(before === undefined ? [] : markedIn(before).map((each) => JSON.stringify(each)));
  const [found] = markedIn(flow).filter((each) => !known.has(JSON.stringify(each)));
  if (found === undefined) return;
  const node = flow.nodes.find(({ id }) => found.path[0] === 'nodes' && id === found.path[1]);
  if (node === undefined) throw markRefused(`'${found.path[0]}' of the flow`);
  const field = found.path[found.path[2] === 'values' ? 3 : 2];
  throw markRefused(`'${field}' of “${nodeTitle(node, registry)}”`, `'${field}' of ${node.id}`);
}

/** Whether a proposal would write the mark of a hidden secret: no proposal keeps a secret that a model wrote into it. */
export function proposesMark(proposal: Extract<FlowUpdate, { action: 'edit_field' | 'set_flow' }>): boolean {
  return hasMark(proposal.action === 'edit_field' ? proposal.new_value : proposal.flow.nodes);
}

/** A text with the mark, and its place. Parts of a flow are named by their ids, which an edit before them does not change. */
interface Marked {
  readonly path: readonly string[];
  readonly text: string;
}

function markedIn(value: unknown, path: readonly string[] = []): Marked[] {
  if (typeof value === 'string') return value.includes(REDACTED) ? [{ path, text: value }] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) => {
    const place = [...path, Array.isArray(value) ? idOf(each, key) : key];
    return [...(key.includes(REDACTED) ? [{ path: place, text: key }] : []), ...markedIn(each, place)];
  });
}

function idOf(part: unknown, index: string): string {
  const id = typeof part === 'object' && part !== null && 'id' in part ? part.id : undefined;
  return typeof id === 'string' ? id : index;
}
