import { createModels, ModelError } from '@croft/models';
import { variableRoutes } from '../contract/variable-routes.ts';
import { flowFetch, type FlowNetworkSettings } from '../flow-runs/flow-network.ts';
import type { Variables } from '../variables/variables.ts';
import { type Route, route } from './route.ts';

export interface ModelTestOptions {
  readonly variables: Pick<Variables, 'open'>;
  readonly settings: FlowNetworkSettings;
}

const TIMEOUT_MS = 30_000;
const MAX_TOKENS = 16;

/** Finds out whether the caller's key of a provider works, by one small request. */
export function makeModelTestRoutes({ variables, settings }: ModelTestOptions): Route[] {
  const fetch = flowFetch(settings);
  /** Users whose test is under way. */
  const busy = new Set<string>();
  return [
    route(variableRoutes.testProvider, async ({ caller, params, problem }) => {
      const { userId } = caller;
      if (busy.has(userId)) throw problem('busy', 'Another test is under way. Try again when it has ended.');
      busy.add(userId);
      try {
        const own = await variables.open(userId);
        const models = createModels({
          variables: Object.fromEntries(own.map(({ name, value }) => [name, value])),
          fetch,
          retries: 0,
        });
        if (!models.providers.some(({ name }) => name === params.provider))
          throw problem('not_found', 'There is no such provider.');
        return await ask(models, params.provider);
      } finally {
        busy.delete(userId);
      }
    }),
  ];
}

async function ask(models: ReturnType<typeof createModels>, provider: string) {
  const began = performance.now();
  const took = () => Math.round(performance.now() - began);
  try {
    const reply = models.stream({
      model: { provider, name: '' },
      messages: [{ role: 'user', text: 'Say "ok"' }],
      maxOutputTokens: MAX_TOKENS,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    for (;;) {
      const { done, value } = await reply.next();
      if (done === true) return { model: value.model.name, ms: took(), failure: null };
    }
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    const isLate = error.code === 'cancelled';
    const message = isLate ? `${provider} did not answer within ${TIMEOUT_MS / 1_000} seconds.` : error.message;
    const fix = isLate ? 'Try again, or check its address.' : error.fix;
    return { model: null, ms: took(), failure: { message, fix } };
  }
}
