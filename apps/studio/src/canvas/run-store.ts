import { createContext, useContext, useSyncExternalStore } from 'react';
import { createListeners } from '../listeners.ts';
import {
  applyRunEvents,
  type FollowedEvent,
  isOutdated,
  type NodeRun,
  type NodeStatus,
  nodeStatus,
  NO_RUN,
  type Question,
  type RunState,
  whyNotStartAt,
} from './run-state.ts';

const FLUSH_MS = 40;

/** The run of a page, outside of React: a node renders again only when its own part changes. */
export interface RunStore {
  readonly get: () => RunState;
  readonly subscribe: (listener: () => void) => () => void;
  /** Replaces the state, and drops events that wait. */
  set(state: RunState): void;
  /** Adds an event. Events are applied together, 25 times a second; the last one of a run at once. */
  add(event: FollowedEvent): void;
  /** Applies the events that wait, and returns the state. */
  flush(): RunState;
}

/** Creates the store of a page. */
export function createRunStore(): RunStore {
  let state = NO_RUN;
  let waiting: FollowedEvent[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const { subscribe, notify } = createListeners();
  const change = (next: RunState) => {
    clearTimeout(timer);
    timer = undefined;
    waiting = [];
    if (next === state) return;
    state = next;
    notify();
  };
  const flush = () => {
    change(applyRunEvents(state, waiting));
    return state;
  };
  return {
    get: () => state,
    subscribe,
    set: change,
    add(event) {
      waiting.push(event);
      if (event.kind === 'run_finished') flush();
      else timer ??= setTimeout(flush, FLUSH_MS);
    },
    flush,
  };
}

/** The store of the page around a component. */
export const RunStoreContext = createContext<RunStore>(createRunStore());

/** The whole run. */
export function useRun(): RunState {
  const { subscribe, get } = useContext(RunStoreContext);
  return useSyncExternalStore(subscribe, get);
}

/** Whether a run can start at the node. */
export function useCanStartAt(id: string): boolean {
  const { subscribe, get } = useContext(RunStoreContext);
  return useSyncExternalStore(subscribe, () => whyNotStartAt(get(), id) === undefined);
}

/** The run of one node. */
export function useNodeRun(id: string): {
  readonly status: NodeStatus | undefined;
  readonly run: NodeRun | undefined;
  /** Asked by the node, without an answer. */
  readonly question: Question | undefined;
  /** Whether the node changed since. */
  readonly isChanged: boolean;
} {
  const { subscribe, get } = useContext(RunStoreContext);
  const status = useSyncExternalStore(subscribe, () => nodeStatus(get(), id));
  const run = useSyncExternalStore(subscribe, () => get().nodes[id]);
  const question = useSyncExternalStore(subscribe, () => get().questions?.find(({ node }) => node === id));
  const isChanged = useSyncExternalStore(subscribe, () => isOutdated(get(), id));
  return { status, run, question, isChanged };
}
