import type { AssistantEvent } from '@croft/assistant';
import type { Log } from '../log.ts';
import { createCounters } from './counters.ts';
import type { NewTurn } from './open-turn.ts';

/** Counters of the assistant since the start of this process, and its log. Without texts of users. */
export interface AssistantMetrics {
  /** An event of a turn. */
  observe(turn: Pick<NewTurn, 'id' | 'sessionId' | 'skipAll'>, event: AssistantEvent): void;
  /** A decision of a user about a proposal. */
  decided(action: string, choice: string): void;
  /** A new conversation, with the number of components that it removed. */
  reset(componentsCleared: number): void;
  /** The text format of Prometheus. */
  text(): string;
}

const ORPHANS = 'Nothing was built: these components have no connection';
const KINDS: Readonly<Record<string, string>> = { set_flow: 'flow', edit_field: 'field', propose_plan: 'plan' };

/** Facts of a turn that has not ended. */
interface OpenTurn {
  intent: string;
  updates: number;
  toolStarted: number;
}

/** @param now milliseconds; tests set it */
export function createAssistantMetrics(
  log: Pick<Log, 'info' | 'warn'>,
  now: () => number = () => performance.now(),
): AssistantMetrics {
  const counters = createCounters();
  const { count, measure } = counters;
  const open = new Map<string, OpenTurn>();
  return {
    observe({ id, sessionId, skipAll }, event) {
      const turn = open.get(id) ?? { intent: 'none', updates: 0, toolStarted: 0 };
      open.set(id, turn);
      const about = { turn: id, session: sessionId };
      switch (event.event) {
        case 'progress':
          if (event.intent !== undefined) {
            turn.intent = event.intent;
            log.info({ ...about, intent: event.intent }, 'assistant.intent.classified');
          }
          if (event.step === 'validation_failed') count('components_total', { result: 'refused' });
          break;
        case 'tool_start':
          turn.toolStarted = now();
          break;
        case 'tool_end': {
          const { tool, ok, cached = false, error } = event;
          count('tool_calls_total', { tool, ok: String(ok) });
          measure('tool_duration_seconds', { tool }, (now() - turn.toolStarted) / 1_000);
          count('tool_cache_total', { tool, result: cached ? 'hit' : 'miss' });
          if (!ok) log.warn({ ...about, tool }, 'assistant.tool.failed');
          if (error?.startsWith(ORPHANS) === true) {
            count('orphan_rejections_total', {});
            log.warn(about, 'assistant.spec.orphan');
          }
          break;
        }
        case 'flow_update':
          turn.updates++;
          count('flow_updates_total', { action: event.action });
          if (event.action === 'propose_plan')
            log.info({ ...about, length: event.markdown.length }, 'assistant.plan.proposed');
          if (event.action === 'set_flow' && !event.auto_apply)
            log.info({ ...about, nodes: event.node_count, edges: event.edge_count }, 'assistant.proposal.ready');
          break;
        case 'component':
          count('components_total', { result: 'registered' });
          break;
        case 'notice':
          if (event.type === 'model_fallback') count('model_fallbacks_total', {});
          break;
        case 'complete':
        case 'error':
        case 'cancelled': {
          open.delete(id);
          const { usage, duration_seconds } = event.event === 'complete' ? event.data : event;
          count('turns_total', { intent: turn.intent, end: event.event });
          if (skipAll === true) count('skip_all_turns_total', {});
          measure('turn_duration_seconds', {}, duration_seconds);
          measure('flow_updates_per_turn', {}, turn.updates);
          count('tokens_total', { kind: 'input' }, usage.input_tokens);
          count('tokens_total', { kind: 'output' }, usage.output_tokens);
          log.info(
            { ...about, intent: turn.intent, end: event.event, ...usage, seconds: duration_seconds },
            'assistant.turn.ended',
          );
          break;
        }
        default:
      }
    },
    decided: (action, choice) => count('proposal_decisions_total', { kind: KINDS[action] ?? action, choice }),
    reset(componentsCleared) {
      count('session_resets_total', {});
      count('components_cleared_total', {}, componentsCleared);
    },
    text: counters.text,
  };
}
