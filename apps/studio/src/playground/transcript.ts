import type { FlowDocument } from '@croft/flow';
import type { FollowedEvent } from '../canvas/run-state.ts';
import { addLine, type Step } from './tool-calls.ts';

/** The parts of a run that a chat shows besides its state. */
export interface Transcript {
  /** The answer as far as a model has written it. */
  readonly draft: string;
  readonly steps: readonly Step[];
}

export const EMPTY_TRANSCRIPT: Transcript = { draft: '', steps: [] };

/** Longer drafts stop to grow; the answer itself is complete. */
const MAX_DRAFT = 200_000;

/** Components that pass one of their inputs on unchanged. */
const PASSES_ON: ReadonlySet<string> = new Set(['FirstAvailable']);

/** The nodes whose text is the answer: those before a chat output. */
export function answeringNodes({ nodes, edges }: FlowDocument): ReadonlySet<string> {
  const typeOf = new Map(nodes.map(({ id, type }) => [id, type]));
  const found = new Set<string>();
  const left = nodes.filter(({ type }) => type === 'ChatOutput').map(({ id }) => id);
  for (let id = left.pop(); id !== undefined; id = left.pop())
    for (const { from, to } of edges) {
      if (to.node !== id || found.has(from.node)) continue;
      found.add(from.node);
      if (PASSES_ON.has(typeOf.get(from.node) ?? '')) left.push(from.node);
    }
  return found;
}

/** Adds an event of the run. Pure. */
export function addToTranscript(
  transcript: Transcript,
  event: FollowedEvent,
  answering: ReadonlySet<string>,
): Transcript {
  switch (event.kind) {
    case 'token': {
      if (!answering.has(event.node) || transcript.draft.length > MAX_DRAFT) return transcript;
      return { ...transcript, draft: transcript.draft + event.text };
    }
    // Earlier text of the node does not count: the node is tried again, or runs another round.
    case 'node_started':
    case 'node_retrying':
      return answering.has(event.node) && transcript.draft !== '' ? { ...transcript, draft: '' } : transcript;
    case 'log':
      return { ...transcript, steps: addLine(transcript.steps, event.node, event.text) };
    default:
      return transcript;
  }
}
