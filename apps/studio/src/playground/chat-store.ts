import { createRunStore, type RunStore } from '../canvas/run-store.ts';
import { addToTranscript, EMPTY_TRANSCRIPT, type Transcript } from './transcript.ts';

/** The store of a run that also keeps what a chat shows: the answer while it is written, and calls of tools. */
export interface ChatStore extends RunStore {
  /** Changes together with the run: listeners of the run hear of it. */
  readonly transcript: () => Transcript;
  /** Forgets the run before. `answering` are the nodes that write the answer. */
  begin(answering: ReadonlySet<string>): void;
}

/** Creates the store of a conversation. */
export function createChatStore(): ChatStore {
  const run = createRunStore();
  let transcript = EMPTY_TRANSCRIPT;
  let nodes: ReadonlySet<string> = new Set();
  return {
    ...run,
    transcript: () => transcript,
    begin(answering) {
      transcript = EMPTY_TRANSCRIPT;
      nodes = answering;
    },
    add(event) {
      transcript = addToTranscript(transcript, event, nodes);
      run.add(event);
    },
  };
}
