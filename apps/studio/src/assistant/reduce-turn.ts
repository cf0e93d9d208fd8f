import type { AssistantEvent, FlowUpdate, TurnEnd } from '@croft/assistant/events';
import { withoutJsonFences } from '../canvas/result-text.ts';
import { buildTaskOf, withTask } from './build-task.ts';
import { isUnderWay, type OfferStatus, type PlanOffer, type TurnView } from './turn-view.ts';

/**
 * Adds an event to a turn. Pure. An event that the turn already has, by its id, changes nothing, so a stream may begin
 * again anywhere.
 *
 * @param id of the event in its stream; undefined for a stored event
 */
export function reduceTurn(turn: TurnView, event: AssistantEvent, id?: string): TurnView {
  if (id !== undefined && isKnown(turn.lastEventId, id)) return turn;
  const next: TurnView = {
    ...turn,
    ...(id !== undefined && { lastEventId: id }),
    ...(event.event !== 'token' && { events: [...turn.events, event] }),
  };
  return changed(next, event);
}

/** Ids of one stream count up behind a dot. */
function isKnown(last: string | undefined, id: string): boolean {
  if (last === undefined) return false;
  const [lastAt, at] = [last.lastIndexOf('.'), id.lastIndexOf('.')];
  if (last.slice(0, lastAt) !== id.slice(0, at)) return false;
  return Number(id.slice(at + 1)) <= Number(last.slice(lastAt + 1));
}

function changed(turn: TurnView, event: AssistantEvent): TurnView {
  switch (event.event) {
    case 'turn':
      return { ...turn, status: 'working', id: event.turn_id, model: event.model };
    case 'progress':
      return {
        ...turn,
        label: event.message,
        step: event.step,
        activity: undefined,
        // The text of an attempt without an action is not the reply.
        ...(event.step === 'retrying' && { text: '' }),
      };
    case 'token':
      return { ...turn, text: turn.text + event.chunk };
    case 'tool_start':
      // A text before the call stays apart from the text after it.
      return { ...turn, activity: event.label, text: turn.text === '' ? '' : `${turn.text.trimEnd()}\n\n` };
    case 'tool_end':
      return { ...turn, activity: undefined };
    case 'flow_update':
      return updated(turn, event);
    case 'file_written': {
      const { action, path, size, content } = event;
      const file = { action, path, size, content };
      return { ...turn, files: [...turn.files.filter((each) => each.path !== path), file] };
    }
    case 'component': {
      const { class_name: className, label, component_code: code } = event;
      const others = turn.components.filter((each) => each.className !== className);
      return { ...turn, components: [...others, { className, label, code }] };
    }
    case 'validated':
      return { ...turn, check: { errors: event.errors, problems: event.problems } };
    case 'run_started':
      return { ...turn, run: { id: event.run_id, status: 'running', text: '' } };
    case 'run_finished': {
      const { run_id, status, text, duration_seconds, total_tokens } = event;
      const shown = withoutJsonFences(text);
      return {
        ...turn,
        run: { id: run_id, status, text: shown, durationSeconds: duration_seconds, tokens: total_tokens },
      };
    }
    case 'question':
      return { ...turn, status: 'asking', question: event };
    case 'answered': {
      if (turn.question?.id !== event.id) return turn;
      const answers = [...turn.answers, { text: turn.question.text, choice: event.choice }];
      return { ...turn, status: isUnderWay(turn) ? 'working' : turn.status, question: undefined, answers };
    }
    case 'proposal_decided':
      return decided(turn, event);
    case 'notice':
      return { ...turn, notices: [...turn.notices, { type: event.type, message: event.message }] };
    case 'complete':
    case 'error':
    case 'cancelled':
      return ended(turn, event);
    default:
      // A newer server may send more.
      return turn;
  }
}

function updated(turn: TurnView, update: FlowUpdate): TurnView {
  const version = 'version' in update ? update.version : undefined;
  const next: TurnView = {
    ...turn,
    tasks: withTask(turn.tasks, buildTaskOf(update)),
    // A later change brings the reverted turn back onto the canvas.
    ...(version !== undefined && { version: Math.max(version, turn.version ?? 0), isReverted: false, isUndone: false }),
  };
  if (update.action === 'set_flow') {
    if (update.auto_apply) return { ...next, flow: undefined };
    const { id, flow, name, node_count, edge_count, template } = update;
    const offer = { id, flow, name, node_count, edge_count, ...(template !== undefined && { template }) };
    return { ...next, flow: { ...offer, status: 'pending', isRepeat: false } };
  }
  if (update.action === 'edit_field') {
    const { id, component_id, component_type, field, old_value, new_value } = update;
    const offer = { id, component_id, component_type, field, old_value, new_value, status: 'pending' as const };
    return { ...next, fields: [...turn.fields.filter((each) => each.id !== id), offer] };
  }
  if (update.action === 'propose_plan')
    return { ...next, plan: { id: update.id, markdown: update.markdown, flow: update.flow, status: 'pending' } };
  return next;
}

function decided(
  turn: TurnView,
  { id, choice, version }: Extract<AssistantEvent, { event: 'proposal_decided' }>,
): TurnView {
  if (choice === 'landed') return landed(turn, id);
  const status: OfferStatus = version === undefined ? 'dismissed' : 'applied';
  const plan: PlanOffer['status'] = choice === 'approve' ? 'approved' : 'dismissed';
  return {
    ...turn,
    ...(turn.flow?.id === id && {
      flow: { ...turn.flow, status, isRepeat: turn.flow.isRepeat || status === 'applied' },
    }),
    fields: turn.fields.map((each) => (each.id === id ? { ...each, status } : each)),
    ...(turn.plan?.id === id && { plan: { ...turn.plan, status: plan } }),
    ...(version !== undefined && { version, isReverted: false, isUndone: false }),
  };
}

/** A turn whose proposal the user carried out by an edit of the canvas. */
export const landed = (turn: TurnView, id: string): TurnView => ({
  ...turn,
  ...(turn.flow?.id === id && { flow: { ...turn.flow, status: 'applied', isRepeat: true } }),
  fields: turn.fields.map((each) => (each.id === id ? { ...each, status: 'applied' } : each)),
});

function ended(
  turn: TurnView,
  event: Extract<AssistantEvent, { event: 'complete' | 'error' | 'cancelled' }>,
): TurnView {
  const closed = { ...turn, activity: undefined, question: undefined };
  if (event.event === 'complete') {
    const { result, continuation_expected } = event.data;
    return { ...closed, ...costOf(event.data), status: 'complete', text: result, continues: continuation_expected };
  }
  const { message } = event;
  const detail = event.event === 'error' ? event.detail : undefined;
  const failure = { message, ...(detail !== undefined && { detail }) };
  return { ...closed, ...costOf(event), status: event.event, failure };
}

function costOf({ usage, duration_seconds, restore_point_id }: TurnEnd) {
  return { usage, durationSeconds: duration_seconds, canRewindCanvas: restore_point_id !== undefined };
}
