import { type FlowDocument, type Registry, validateFlow } from '@croft/flow';
import { endedText } from '../ended-text.ts';
import type { FlowRunEnd } from '../turn.ts';
import { runKeyOf } from '../flow-parts.ts';
import type { LandMode } from '../land-flow.ts';
import type { Prospect } from '../working-flow.ts';
import { askUser } from './ask-tools.ts';
import {
  type AssistantTool,
  failed,
  textOf,
  textParameters,
  type ToolContext,
  type ToolData,
} from './assistant-tool.ts';
import { fitRun } from './fit-run.ts';
import { hasUnaskedWrites, writtenFiles } from './unasked-writes.ts';

const MAX_RESULT = 4_000;
/** Starts of one run, while other clients change the flow. */
const MAX_TRIES = 10;

const NOTHING_TO_RUN =
  'There is no flow on the canvas to run. Write first what it does, for example: build a flow that lists all files in my folder, then run it.';

const PROPOSAL_WAITED =
  'Not run: the message before only made a proposal, which was not accepted and is dismissed now. Say so: the user accepts it first, or asks again for a run of the canvas as it is.';
const PROPOSAL_IN_PAGE =
  'Not run: you did not accept my last proposal. Press **Add to canvas** or **Apply it after all** on its card, then write: run it.';
const PROPOSAL_IN_TERMINAL =
  'Not run: you did not accept my last proposal. Ask for it again and accept it, then write: run it.';

/** Tools that run the flow and read runs. */
export const RUN_TOOLS: readonly AssistantTool[] = [
  {
    name: 'run_flow',
    needs: 'run',
    description:
      'Runs the flow once and waits for its result. A built flow is put on the canvas first. Without a message the flow runs with the values that it has.',
    parameters: textParameters({ 'message?': "A message for the flow's chat input, if the user gave one." }),
    label: () => 'Running the flow',
    run: (args, context) => runFlow(textOf(args, 'message'), context),
  },
  {
    name: 'get_run',
    description: 'Reads a run: its result, and what each component received and produced.',
    parameters: textParameters({ run_id: 'The id that run_flow gave.' }),
    label: () => 'Reading the run',
    async run(args, { turn }) {
      const id = textOf(args, 'run_id');
      const found = await turn.runs.read(id);
      return found === undefined ? failed(`There is no run '${id.slice(0, 100)}' of yours.`) : { run: fitRun(found) };
    },
  },
];

/** Effects that reach outside of the user's files. */
export function outsideEffects({ nodes }: Pick<FlowDocument, 'nodes'>, registry: Registry): readonly string[] {
  const effects = nodes.flatMap(({ type }) => registry.get(type)?.descriptor.effects ?? []);
  return [...new Set(effects.filter((effect) => /^(network|database)-/.test(effect)))].sort();
}

const WORDS: Readonly<Record<string, string>> = {
  model: 'use a model',
  wait: 'wait for a person',
  'workspace-write': 'write files',
  'network-read': 'read from the network',
  'network-write': 'send data over the network',
  'database-read': 'read from a database',
  'database-write': 'change a database',
};

/** Effects in words, such as "read from the network and change a database". */
export const describeEffects = (effects: readonly string[]): string =>
  effects.map((effect) => WORDS[effect] ?? effect).join(' and ');

const DECLINED = {
  text: 'Not run: the user did not allow it. Say so, and do not try again.',
  summary: 'Not run: you did not allow it.',
  declined: true,
};

async function runFlow(message: string, context: ToolContext): Promise<ToolData> {
  const { turn, working, notes } = context;
  const pending = notes.proposedFields.size;
  if (pending > 0) {
    notes.deferred = true;
    const text = `Not run: ${pending} proposed edits wait for the user. The run is kept as the next step and follows when the user has accepted them. End your reply now.`;
    const waits = pending === 1 ? 'the proposed change' : `the ${pending} proposed changes`;
    return { text, summary: `Not run yet: it follows when you have accepted ${waits}.`, deferred: true };
  }
  // The message dismisses what waited: a run of what is there would look like a run of that.
  if (turn.dismissesProposals === true && turn.continues === undefined && working.restorePoint === undefined)
    if (working.proposal === undefined) {
      const isTerminal = turn.canvas.builtFlowReplaces === true;
      return failed(PROPOSAL_WAITED, { summary: isTerminal ? PROPOSAL_IN_TERMINAL : PROPOSAL_IN_PAGE });
    }
  const flow = await working.read();
  if (flow.nodes.length === 0)
    return failed('There is no flow on the canvas to run. Build or add components first.', { summary: NOTHING_TO_RUN });
  const blocking = validateFlow(flow, turn.registry).filter(
    ({ severity, code }) => severity === 'error' && !(code === 'missing_value' && message !== ''),
  );
  if (blocking.length > 0)
    return failed(
      `The flow cannot run: ${blocking
        .slice(0, 5)
        .map(({ message: text, fix }) => `${text} ${fix}`)
        .join(' ')}`,
    );
  return runAllowed(message === '' ? undefined : message, context);
}

/**
 * Runs the whole canvas, with the built flow on it. It starts only the flow that the user allowed: where another
 * client changes it before the start, the user decides again.
 */
async function runAllowed(message: string | undefined, context: ToolContext): Promise<ToolData> {
  const { working, signal } = context;
  const { registry } = context.turn;
  let allowed: string | undefined;
  let landed: LandMode | undefined;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const prospect = await working.prospect();
    const key = JSON.stringify([runKeyOf(prospect.flow), prospect.landing?.mode ?? landed]);
    if (key !== allowed && !(await mayRun(prospect, context))) return DECLINED;
    allowed = key;
    if (prospect.landing !== undefined) {
      if (await working.land(prospect)) landed = prospect.landing.mode;
      continue;
    }
    signal.throwIfAborted();
    const ran = await runOnce(message, prospect.version, context);
    if (ran !== undefined)
      return { run_id: ran.id, ...(landed && { on_canvas: landed }), ...resultOf(ran.end, prospect.flow, registry) };
  }
  return failed('Not run: other clients keep changing the flow. Try again in a moment.');
}

/** Runs the stored flow to its end, and reports it. Stop ends the run. Undefined where the flow has another version. */
export async function runOnce(
  message: string | undefined,
  version: number,
  { turn, emit, signal }: Pick<ToolContext, 'turn' | 'emit' | 'signal'>,
): Promise<{ readonly id: string; readonly end: FlowRunEnd } | undefined> {
  const run = await turn.runs.start(message, version);
  if (run === undefined) return undefined;
  emit({ event: 'run_started', run_id: run.id });
  // Stop may have come during the start; an aborted signal sends no event.
  if (signal.aborted) run.cancel();
  else signal.addEventListener('abort', run.cancel, { once: true });
  try {
    const end = await run.ended;
    const { duration_seconds, total_tokens } = end.metrics;
    emit({ event: 'run_finished', run_id: run.id, status: end.status, text: end.text, duration_seconds, total_tokens });
    return { id: run.id, end };
  } finally {
    signal.removeEventListener('abort', run.cancel);
  }
}

/** Where and why a run failed, and what to do. */
export function failureText(
  { text, failure }: Pick<FlowRunEnd, 'text' | 'failure'>,
  { nodes }: Pick<FlowDocument, 'nodes'>,
  registry: Registry,
): string {
  const node = nodes.find(({ id }) => id === failure?.node);
  const label = node && (node.name ?? registry.get(node.type)?.descriptor.label);
  const place = [label === undefined ? failure?.node : `“${label}” (${failure?.node})`, failure?.field]
    .filter((each) => each !== undefined)
    .join('.');
  return `${place === '' ? '' : `${place}: `}${failure?.message ?? text}${failure?.fix ? `${/[.!?]$/.test(failure.message) ? '' : '.'} ${failure.fix}` : ''}`;
}

function resultOf(
  { status, text, failure, metrics }: FlowRunEnd,
  { nodes }: Pick<FlowDocument, 'nodes'>,
  registry: Registry,
): ToolData {
  const { duration_seconds, input_tokens, output_tokens, total_tokens } = metrics;
  const tokens = total_tokens > 0 ? ` · used ${total_tokens} tokens (${input_tokens} in / ${output_tokens} out)` : '';
  const cost = `(Ran in ${duration_seconds}s${tokens})`;
  const shown = text.slice(0, MAX_RESULT) || '(no output)';
  // Markdown of several lines, such as a fence, begins on a line of its own.
  const gap = shown.includes('\n') ? '\n\n' : ' ';
  if (status === 'completed')
    return { text: `${shown}\n\n${cost}`, summary: `Ran it:${gap}${shown}`, status, ...metrics };
  if (status === 'waiting')
    return {
      text: `The run waits for the user: ${shown}\n\nThe user answers on the canvas, or under Runs. End your reply now.`,
      summary: `The run waits for you: ${shown} Answer on the canvas or under Runs, and the run goes on.`,
      status,
    };
  const why = failureText({ text: shown, ...(failure && { failure }) }, { nodes }, registry);
  return { ...failed(`The run ${endedText(status)}. ${why}`), status, ...metrics };
}

/** Asks before a run that reaches outside, writes files that the message does not ask for, or takes the place of a flow. */
async function mayRun({ flow, landing }: Prospect, context: ToolContext): Promise<boolean> {
  const { turn } = context;
  const outside = outsideEffects(flow, turn.registry);
  // The canvas of a terminal asks itself.
  const replaces = landing?.mode === 'replace' && turn.canvas.builtFlowReplaces !== true;
  if (outside.length === 0 && !replaces && !(await hasUnaskedWrites(flow, context))) return true;
  // The user who decides about a run gets all of its effects.
  const files = writtenFiles(flow, context);
  const effects = [...outside, ...(files === '' ? [] : ['workspace-write'])];
  const consequences = [
    ...(replaces ? ['takes the place of the one on the canvas'] : []),
    ...(effects.length > 0 ? [`can ${describeEffects(effects)}`] : []),
  ];
  const choice = await askUser(
    context,
    {
      kind: 'effects',
      text: `This flow ${consequences.join(' and ')}. Run it?`,
      choices: ['Run', 'Do not run'],
      default: 'Do not run',
    },
    files === '' ? undefined : files,
  );
  return choice === 'Run';
}
