import { ModelError } from '@croft/models';
import { createEventQueue } from './event-queue.ts';
import type { AssistantEvent } from './events.ts';
import { hideSecretsIn } from './hide-secrets.ts';
import { OFF_TOPIC_REFUSAL, sanitise, SANITISE_REFUSAL } from './sanitise.ts';
import type { Turn } from './turn.ts';
import { TurnEnding, type TurnOutput } from './turn-ending.ts';
import { type Reply, workOn } from './work-on.ts';

/**
 * Answers one message of a user. Yields what happens as it happens; the last event is `complete`, `error` or
 * `cancelled`. Every text of a file, a flow or a model is data: what is shown of changes, files and runs comes from the
 * calls that made them.
 *
 * Ending the iteration early, or the turn's signal, stops it: the request to the model is aborted, no further change is
 * made, and changes that were stored stay.
 */
export async function* runTurn(turn: Turn): AsyncGenerator<AssistantEvent, void, void> {
  const queue = createEventQueue();
  const stop = new AbortController();
  const ending = new TurnEnding();
  const emit = (event: AssistantEvent) => {
    const shown = hideSecretsIn(event, turn.secrets);
    ending.add(shown);
    queue.push(shown);
  };
  const onAbort = () => {
    emit({ event: 'cancelled', message: textOfReason(turn.signal.reason), ...ending.end() });
    queue.close();
    stop.abort(turn.signal.reason);
  };
  if (turn.signal.aborted) onAbort();
  else turn.signal.addEventListener('abort', onAbort, { once: true });
  const working = answer(turn, { emit, stop, ending })
    .catch((error: unknown) => emit({ event: 'error', ...failureOf(error), ...ending.end() }))
    .finally(() => queue.close());
  try {
    yield* queue;
  } finally {
    turn.signal.removeEventListener('abort', onAbort);
    stop.abort();
    queue.close();
    // A stopped turn is over for its reader. Calls that still end in the background report nothing.
    void working;
  }
}

async function answer(turn: Turn, output: TurnOutput): Promise<void> {
  const { emit, ending, stop } = output;
  if (stop.signal.aborted) return;
  const model = turn.model ?? turn.models.preferred;
  emit({ event: 'turn', turn_id: turn.id, session_id: turn.sessionId, model: `${model.provider}/${model.name}` });
  const checked = sanitise(turn.message);
  if ('violation' in checked) {
    emit({ event: 'notice', type: 'refused', message: checked.violation });
    emit(completed({ ...REFUSED, text: SANITISE_REFUSAL }, ending));
    return;
  }
  const result = await workOn({ ...turn, message: checked.text }, model, output);
  emit(completed(result === 'off_topic' ? { ...REFUSED, text: OFF_TOPIC_REFUSAL } : result, ending));
}

const REFUSED = { continues: false, outcome: 'not_done', leftOut: [] } as const;

function completed({ text, continues, outcome, leftOut }: Reply, ending: TurnEnding): AssistantEvent {
  const { events } = ending;
  const has_flow = events.some((each) => each.event === 'flow_update' && each.action === 'set_flow');
  return {
    event: 'complete',
    data: {
      result: text,
      has_flow,
      outcome,
      left_out: leftOut,
      continuation_expected: continues,
      ...ending.end({ outcome, leftOut }),
    },
  };
}

const CANCELLED = 'Generation cancelled by user';

/** Only texts that are written for the user are shown. */
const textOfReason = (reason: unknown): string => (typeof reason === 'string' ? reason : CANCELLED);

function failureOf(error: unknown): { message: string; detail?: string } {
  if (error instanceof ModelError) return { message: error.message, ...(error.fix && { detail: error.fix }) };
  if (error instanceof Error && 'forModel' in error) return { message: error.message };
  return {
    message: 'The assistant failed unexpectedly.',
    detail:
      'Changes that the canvas shows were stored. Send the message again; if it fails again, the server log says why.',
  };
}
