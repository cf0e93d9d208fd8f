import type { FlowContent, FlowDocument } from '@croft/flow';
import type { ComponentsRegistry } from '../api/flows.ts';
import type { EditStore } from '../canvas/edit-state.ts';
import type { Apply } from '../canvas/use-flow-edits.ts';
import type { AssistantStore } from './assistant-store.ts';

/** The flow that the assistant works on, as the page shows and edits it. */
export interface AssistantFlow {
  readonly flowId: string;
  readonly document: FlowDocument;
  readonly version: number;
  readonly registry: ComponentsRegistry;
  readonly edits: EditStore;
  readonly apply: Apply;
  readonly isReadOnly: boolean;
  /** A run of the flow began. */
  readonly onRun: (runId: string, version: number) => void;
  /** A whole flow came onto the canvas. */
  readonly onBuilt: () => void;
  /** The assistant works on a message of this page, or is done. */
  readonly onLock: (isLocked: boolean) => void;
  /** A plan with a drawing waits for the user, or none does. */
  readonly onPlan: (plan: FlowContent | undefined) => void;
}

/** The values that every part of a message uses. */
export interface ChatParts {
  readonly flow: Pick<AssistantFlow, 'flowId' | 'document' | 'version' | 'registry' | 'apply' | 'isReadOnly'>;
  readonly store: AssistantStore;
  /** Puts a text into the composer. */
  readonly onEdit: (text: string) => void;
}
