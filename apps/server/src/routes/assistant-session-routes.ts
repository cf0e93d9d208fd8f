import { createModels } from '@croft/models';
import type { LiveTurns } from '../assistant/live-turns.ts';
import type { AssistantMetrics } from '../assistant/metrics.ts';
import type { TurnStore } from '../assistant/turn-store.ts';
import { assistantRoutes } from '../contract/assistant-routes.ts';
import type { UserComponents } from '../components/user-components.ts';
import type { Variables } from '../variables/variables.ts';
import { type Route, route } from './route.ts';

export interface AssistantSessionOptions {
  readonly liveTurns: Pick<LiveTurns, 'find'>;
  readonly metrics: Pick<AssistantMetrics, 'reset'>;
  readonly turnStore: TurnStore;
  readonly userComponents: Pick<UserComponents, 'clearGenerated'>;
  readonly variables: Pick<Variables, 'open'>;
}

/** Conversations with the assistant, and the models that it can use. */
export function makeAssistantSessionRoutes(options: AssistantSessionOptions): Route[] {
  const { liveTurns, metrics, turnStore, userComponents, variables } = options;
  return [
    route(assistantRoutes.listAssistantSessions, async ({ caller, query }) => ({
      sessions: (await turnStore.sessions(caller.userId, query.flow_id)).map(
        ({ sessionId, preview, turns, updatedAt }) => ({
          session_id: sessionId,
          preview,
          turns,
          updated_at: updatedAt.toISOString(),
        }),
      ),
    })),
    route(assistantRoutes.getAssistantSession, async ({ caller, params, query }) => {
      const { userId } = caller;
      const turns = await turnStore.turns({ userId, flowId: query.flow_id, sessionId: params.id });
      const isLost = (id: string, status: string) => status === 'running' && liveTurns.find(userId, id) === undefined;
      return {
        turns: turns.map(({ id, status, message, reply, events, restorePointId, startedAt }) => ({
          id,
          status: isLost(id, status) ? 'interrupted' : status,
          message,
          reply,
          events: [...events],
          can_rewind_canvas: restorePointId !== null,
          started_at: startedAt.toISOString(),
        })),
      };
    }),
    route(assistantRoutes.deleteAssistantSession, async ({ caller, params, query }) => {
      const conversation = { userId: caller.userId, flowId: query.flow_id, sessionId: params.id };
      return { id: params.id, removed: await turnStore.remove(conversation) };
    }),
    route(assistantRoutes.resetAssistantSession, async ({ caller, query }) => {
      const components_cleared = await userComponents.clearGenerated(caller.userId, query.ended_session_id);
      metrics.reset(components_cleared);
      return { status: 'ok' as const, components_cleared, session_id: query.session_id ?? null };
    }),
    route(assistantRoutes.checkAssistantConfig, async ({ caller }) => {
      const own = await variables.open(caller.userId);
      const values = Object.fromEntries(own.map(({ name, value }) => [name, value]));
      const { providers, preferred } = createModels({ variables: values });
      const configured = providers.filter(({ name, isEnabled }) => isEnabled && name !== 'croft');
      return {
        enabled: true,
        configured: configured.length > 0,
        configured_providers: configured.map(({ name }) => name),
        providers: configured.map(({ name, models }) => ({
          name,
          configured: true,
          default_model: models[0] ?? null,
          models: models.map((model) => ({ name: model, display_name: model })),
        })),
        default_provider: preferred.provider,
        default_model: preferred.name,
      };
    }),
  ];
}
