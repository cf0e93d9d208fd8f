import { z } from 'zod';
import { sessionId } from './chat-routes.ts';
import { defineRoutes, raw } from './define-route.ts';
import { STARTED_BY } from './run-starts.ts';

const MAX_BODY_BYTES = 4 * 1024 * 1024;

const text = z.string().max(1_000_000);

/** The request of a run. */
const runRequest = z.strictObject({
  /** For the flow's chat input, else its text input. */
  message: text.optional(),
  /** Stores the message and the answer; components of the flow read the earlier messages of the session. */
  session: sessionId.optional(),
  /** Fields of the flow's inputs, by node id. */
  inputs: z.record(z.string(), z.record(z.string(), z.unknown())).optional(),
  /** Other values for exposed fields of your own flow, by node id: the fields that the inspector shows at once. */
  tweaks: z.record(z.string(), z.record(z.string(), z.unknown())).optional(),
  /** The page of the studio, for the history. Requests with an API key are stored as such. */
  from: z.enum(['canvas', 'playground']).optional(),
  timeoutSeconds: z.number().int().min(1).max(600).default(120),
});

/** The request of a run that its client waits for or follows. */
const directRequest = runRequest.extend({
  /** The id of a component: only it and what leads to it run. */
  until: z.string().min(1).max(200).optional(),
  /**
   * The id of a component: it and what follows it run. Components before it give their outputs of your last run from the
   * canvas or with this field where the server still has them and their inputs are the same; others run again. Send the
   * inputs of that run.
   */
  startAt: z.string().min(1).max(200).optional(),
});

/** The parsed body of a run that its client waits for or follows. */
export type DirectRunBody = z.output<typeof directRequest>;

/** The request of a queued run, which may take longer. */
const queueRequest = runRequest.extend({
  /** Of the work of the run, without the time for which it waits. */
  timeoutSeconds: z.number().int().min(1).max(86_400).default(3_600),
  /** Chosen by the client: a repeated request for the flow with the same key starts no second run. */
  requestKey: z.string().min(1).max(100).optional(),
});

const failure = z.strictObject({
  node: z.string().optional(),
  field: z.string().optional(),
  message: z.string(),
  /** The next step for the author of the flow. */
  fix: z.string().optional(),
});

const metrics = z.strictObject({
  duration_seconds: z.number(),
  input_tokens: z.number(),
  output_tokens: z.number(),
  total_tokens: z.number(),
});

/** How a run ends. */
const ENDS = ['completed', 'failed', 'cancelled', 'timed_out'] as const;

const runResult = z.strictObject({
  id: z.string(),
  status: z.enum(ENDS),
  /** The flow's output texts; at most 4,000 characters. The message of the failure, where there is one. */
  text: z.string(),
  /** Outputs of the nodes at the flow's end, by node id and name. */
  outputs: z.record(z.string(), z.unknown()),
  metrics,
  failure: failure.nullable(),
});

const runStatus = z.enum(['queued', 'running', 'waiting', 'needs_attention', ...ENDS, 'interrupted']);

const runSummary = z.strictObject({
  id: z.string(),
  flowId: z.string(),
  flowName: z.string(),
  /** `direct`: its client waited for it or followed it. The others were queued. */
  source: z.enum(['direct', 'api', 'webhook', 'schedule']),
  /** `page`: in a browser, elsewhere than on the canvas or in the Playground. `link`: by a visitor. `null`: an older run. */
  startedBy: z.enum(STARTED_BY).nullable(),
  /**
   * `interrupted`: the server ended before the direct run did. `waiting`: for a person. `needs_attention`: stopped at an
   * effect that may have happened or not.
   */
  status: runStatus,
  /** Of a queued run: when it was queued. */
  startedAt: z.string(),
  endedAt: z.string().nullable(),
  metrics: metrics.nullable(),
  /** One line of at most 160 characters, without secrets. Empty: none was given. `null`: not known, as for older runs. */
  input: z.string().nullable(),
});

const timelineEntry = z.strictObject({
  node: z.string(),
  /** Which rounds of loops the node ran in; empty outside of them. */
  path: z.string(),
  status: z.enum(['running', 'finished', 'failed', 'pruned', 'cancelled']),
  /** From the start of the run. */
  startedMs: z.number().optional(),
  ms: z.number().optional(),
  /** Of a queued run: starts of the node, more than one after a restart. */
  starts: z.number().optional(),
  /** Bounded, without secrets. */
  inputs: z.unknown().optional(),
  outputs: z.unknown().optional(),
  /** Its log since its latest start: the first 100 lines, each of at most 2,000 characters, without secrets. */
  log: z.array(z.string()).optional(),
  tokens: z.strictObject({ input: z.number(), output: z.number() }).optional(),
  failure: failure.optional(),
});

/** A question of a run to its user. */
const question = z.strictObject({
  key: z.string(),
  node: z.string(),
  text: z.string(),
  options: z.array(z.string()),
  /** The value in question, shortened. */
  context: z.unknown(),
  askedAt: z.string(),
  answer: z.strictObject({ choice: z.string(), comment: z.string(), by: z.string() }).nullable(),
});

const stepKey = z.string().min(1).max(1_000);

const EVENTS = raw(
  'Server-sent events: `run` with the id, then the events of the run; the last one is `run_finished`. `reset`: events before it are gone',
  ['text/event-stream'],
);

/** Runs of flows. Each caller reaches only their own runs. */
export const runRoutes = defineRoutes('Runs', {
  runFlow: {
    route: 'POST /api/v1/flows/{id}/run',
    summary: 'Run a stored flow and wait for its result. The run is cancelled when the client disconnects',
    access: 'caller',
    startsRun: true,
    body: directRequest,
    maxBodyBytes: MAX_BODY_BYTES,
    response: runResult,
    /** The run ended without a result: `status` and `failure` say why. */
    otherResponses: { 422: runResult },
    errors: ['busy', 'forbidden', 'invalid', 'newer_version', 'not_found', 'unavailable'],
  },
  streamFlow: {
    route: 'POST /api/v1/flows/{id}/run/stream',
    summary: 'Run a stored flow and follow its events. The run continues when the client disconnects',
    access: 'caller',
    startsRun: true,
    body: directRequest,
    maxBodyBytes: MAX_BODY_BYTES,
    response: EVENTS,
    errors: ['busy', 'forbidden', 'invalid', 'newer_version', 'not_found', 'unavailable'],
  },
  queueRun: {
    route: 'POST /api/v1/flows/{id}/runs',
    summary: 'Queue a run of a stored flow. The run continues after a restart of the server; follow it by its id',
    access: 'caller',
    startsRun: true,
    body: queueRequest,
    maxBodyBytes: MAX_BODY_BYTES,
    status: 202,
    response: z.strictObject({ id: z.string() }),
    errors: ['busy', 'forbidden', 'invalid', 'newer_version', 'not_found', 'unavailable'],
  },
  listRuns: {
    route: 'GET /api/v1/runs',
    summary: 'List your runs, newest first',
    access: 'caller',
    query: z.object({
      flow: z.string().max(100).optional(),
      limit: z.coerce.number().int().min(1).max(200).default(50),
      cursor: z.string().max(100).optional(),
      /** Only runs in this state. */
      status: runStatus.optional(),
    }),
    response: z.strictObject({ runs: z.array(runSummary), nextCursor: z.string().nullable() }),
    errors: ['invalid'],
  },
  getRun: {
    route: 'GET /api/v1/runs/{id}',
    summary: 'Get a run with its result and the timeline of its nodes',
    access: 'caller',
    response: z.strictObject({
      run: runSummary.extend({
        text: z.string().nullable(),
        /** Shortened, of a queued run that has ended; null for others. */
        outputs: z.record(z.string(), z.unknown()).nullable(),
        failure: failure.nullable(),
        timeline: z.array(timelineEntry),
        /** Whether the timeline leaves out entries, inputs, outputs or lines of logs. */
        timelineIsCut: z.boolean(),
        questions: z.array(question),
        /** Keys of interrupted effects that may have happened or not. */
        undecided: z.array(z.string()),
      }),
    }),
    errors: ['not_found', 'unavailable'],
  },
  followRun: {
    route: 'GET /api/v1/runs/{id}/events',
    summary:
      'Follow the events of a run, from the beginning or after an id. Those of a direct run are kept for five minutes after its end',
    access: 'caller',
    query: z.object({ lastEventId: z.string().optional() }),
    response: EVENTS,
    errors: ['not_found', 'too_many_streams', 'unavailable'],
  },
  cancelRun: {
    route: 'POST /api/v1/runs/{id}/cancel',
    summary: 'Cancel a run. A run that has ended stays as it is',
    access: 'caller',
    response: z.strictObject({ id: z.string() }),
    errors: ['not_found', 'unavailable'],
  },
  answerRun: {
    route: 'POST /api/v1/runs/{id}/answer',
    summary: 'Answer a question of a waiting run, such as approve or reject. The run continues',
    access: 'caller',
    body: z.strictObject({ key: stepKey, choice: z.string().max(200), comment: z.string().max(10_000).default('') }),
    response: z.strictObject({ id: z.string() }),
    errors: ['changed', 'invalid', 'not_found', 'unavailable'],
  },
  decideRun: {
    route: 'POST /api/v1/runs/{id}/decide',
    summary: 'Decide about an interrupted effect of a run: repeat it, or skip it and its outputs. The run continues',
    access: 'caller',
    body: z.strictObject({ key: stepKey, decision: z.enum(['repeat', 'skip']) }),
    response: z.strictObject({ id: z.string() }),
    errors: ['changed', 'not_found', 'unavailable'],
  },
  deleteRun: {
    route: 'DELETE /api/v1/runs/{id}',
    summary: 'Delete a run from your history. A run under way is cancelled',
    access: 'caller',
    response: z.strictObject({ id: z.string() }),
    errors: ['busy', 'not_found', 'unavailable'],
  },
});
