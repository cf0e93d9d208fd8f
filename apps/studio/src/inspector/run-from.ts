import type { FlowDocument } from '@croft/flow';
import { createContext, useContext } from 'react';
import { api } from '../api/api.ts';
import type { ComponentsRegistry } from '../api/flows.ts';
import { asksPerson } from '../canvas/run-fields.ts';
import { type RunState, whyNotStartAt } from '../canvas/run-state.ts';
import { RunStoreContext, useCanStartAt } from '../canvas/run-store.ts';
import type { useFlowRun } from '../canvas/use-flow-run.ts';
import { sameInput } from '../runs/same-input.ts';
import { sentenceOf } from '../ui/state.tsx';
import { toast } from '../ui/toast.tsx';
import { runSaved } from './run-saved.ts';

const WAITS = 'This flow asks a person, so a run cannot start at one of its components.';
const SHORTENED = 'The history shortened the input of the last run: run the whole flow once, and then from here.';

interface FlowParts {
  readonly flow: FlowDocument;
  readonly registry: ComponentsRegistry;
  readonly edits: Parameters<typeof runSaved>[0];
  readonly running: Pick<ReturnType<typeof useFlowRun>, 'run' | 'store'>;
}

/** Runs of a flow that start at a component. */
export interface RunFrom {
  /** Why no run of this flow can, as a sentence. */
  readonly refusal: string | undefined;
  /** Runs the component and what follows it, with the inputs of the last run; says why where that is not possible. */
  start(id: string): Promise<void>;
}

export function createRunFrom({ flow, registry, edits, running }: FlowParts): RunFrom {
  const refusal = asksPerson(flow, registry) ? WAITS : undefined;
  const isThere = ([id]: readonly [string, unknown]) => flow.nodes.some((node) => node.id === id);
  return {
    refusal,
    async start(id) {
      const state = running.store.get();
      try {
        const reason = refusal ?? whyNotStartAt(state, id);
        const inputs = reason === undefined ? await lastInputs(state, flow, registry) : undefined;
        if (inputs === undefined) refuse(reason ?? SHORTENED);
        else {
          const kept = Object.fromEntries(Object.entries(inputs).filter(isThere));
          await runSaved(edits, running, { startAt: id, inputs: kept }, false);
        }
      } catch (error) {
        refuse(`The run was not started. ${sentenceOf(error)}`);
      }
    },
  };
}

const refuse = (text: string): void => void toast({ tone: 'bad', text });

/** Of the run that this page started, or of the flow's last run; undefined where the history does not have all of it. */
async function lastInputs({ inputs, stored }: RunState, flow: FlowDocument, registry: ComponentsRegistry) {
  if (inputs !== undefined || stored === undefined) return inputs;
  const { run } = await api('GET /api/v1/runs/{id}', { params: { id: stored } });
  return sameInput(flow, registry, run.timeline);
}

export const RunFromContext = createContext<RunFrom | undefined>(undefined);

/** Starts a run at this component; undefined while that is not possible. */
export function useRunFrom(id: string): (() => void) | undefined {
  const runFrom = useContext(RunFromContext);
  const canStart = useCanStartAt(id);
  return runFrom?.refusal === undefined && canStart ? () => void runFrom?.start(id) : undefined;
}

/** Reads why a run cannot start at a component now; undefined where it can. */
export function useWhyNotFrom(): (id: string) => string | undefined {
  const runFrom = useContext(RunFromContext);
  const { get } = useContext(RunStoreContext);
  return (id) => runFrom?.refusal ?? whyNotStartAt(get(), id);
}
