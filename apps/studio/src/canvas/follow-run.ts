import type { ApiRequest } from '@croft/server/contract';
import { api, routeUrl } from '../api/api.ts';
import { ApiError, isTemporary, send } from '../api/request.ts';
import { isOpen } from '../api/runs.ts';
import { type FollowedEvent, isUnderWay } from './run-state.ts';
import type { RunStore } from './run-store.ts';
import { stateOfStoredRun, withQuestions } from './stored-run.ts';

/** The values of a run. */
export type RunRequest = ApiRequest<'POST /api/v1/flows/{id}/run/stream'>['body'];

const KINDS: readonly FollowedEvent['kind'][] = [
  'run_started',
  'node_started',
  'token',
  'progress',
  'log',
  'node_retrying',
  'node_finished',
  'node_pruned',
  'node_failed',
  'node_cancelled',
  'run_waiting',
  'run_resumed',
  'run_needs_attention',
  'run_finished',
];

/** Starts a run and returns its id. The run continues when the page is left. @throws ApiError */
export async function startRun(flowId: string, json: RunRequest): Promise<string> {
  const url = routeUrl('POST /api/v1/flows/{id}/run/stream', { params: { id: flowId }, body: json });
  const response = await send(url, { method: 'POST', json });
  // `followRun` reads the events, because an EventSource resumes them by itself.
  void response.body?.cancel();
  const id = response.headers.get('Croft-Run-Id');
  if (id === null) throw new ApiError('bad_answer', 'The run has no id. Reload the page.', response.status);
  return id;
}

/** Queues a run and returns its id: such a run can wait for a person. @throws ApiError */
export async function queueRun(flowId: string, body: RunRequest): Promise<string> {
  return (await api('POST /api/v1/flows/{id}/runs', { params: { id: flowId }, body })).id;
}

/**
 * Passes the events of a run to the store, and resumes after a lost connection. Where the server does not have the events
 * any more, the store gets the run from the history. Returns a function that stops following.
 */
export function followRun(id: string, store: RunStore): () => void {
  const source = new EventSource(routeUrl('GET /api/v1/runs/{id}/events', { params: { id } }));
  let isClosed = false;
  let isLeft = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const close = () => {
    isClosed = true;
    source.close();
  };
  /** Repeats a request that may succeed later, also after the user has signed in again: the run goes on meanwhile. */
  const repeat = async (read: () => Promise<void>) => {
    try {
      await read();
    } catch (error) {
      // A page that follows another run by now keeps that one.
      if (isLeft) return;
      if (isTemporary(error) || isSignedOut(error)) lookAgain(read);
      else store.set(LOST);
    }
  };
  const lookAgain = (read: () => Promise<void>) => {
    timer = setTimeout(() => void repeat(read), LOOK_MS);
  };
  const readStored = async () => {
    close();
    const { run } = await api('GET /api/v1/runs/{id}', { params: { id } });
    if (isLeft) return;
    const { begun, changed, inputs, stored } = store.get();
    store.set({ ...stateOfStoredRun(run), begun, changed, inputs, stored });
    // Another server has its events.
    if (isUnderWay(store.get())) lookAgain(readStored);
  };
  const readQuestions = async () => {
    if (isClosed) return;
    const { run } = await api('GET /api/v1/runs/{id}', { params: { id } });
    if (!isClosed) store.set(withQuestions(store.flush(), run));
  };
  for (const kind of KINDS)
    source.addEventListener(kind, ({ data }: MessageEvent<string>) => {
      store.add(JSON.parse(data) as FollowedEvent);
      if (kind === 'run_finished') close();
      // The event has only the keys of the questions.
      if (kind === 'run_waiting') void repeat(readQuestions);
    });
  source.addEventListener('error', () => {
    // The browser reconnects unless the server refused the request.
    if (source.readyState === EventSource.CLOSED && !isClosed) void repeat(readStored);
  });
  return () => {
    isLeft = true;
    clearTimeout(timer);
    close();
  };
}

const LOOK_MS = 3_000;

const isSignedOut = (error: unknown) => error instanceof ApiError && error.status === 401;

const LOST = {
  status: 'interrupted',
  nodes: {},
  text: '',
  failure: { message: 'The events of this run cannot be read.', fix: 'Reload the page.' },
} as const;

/** The latest run of a flow; undefined if there is none. */
export async function findLatestRun(flowId: string): Promise<{ id: string; isUnderWay: boolean } | undefined> {
  const { runs } = await api('GET /api/v1/runs', { query: { flow: flowId, limit: '1' } });
  const [latest] = runs;
  return latest && { id: latest.id, isUnderWay: isOpen(latest.status) };
}
