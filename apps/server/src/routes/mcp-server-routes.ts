import { type McpTool, mcpServerOf } from '@croft/components';
import { redactText } from '@croft/flow';
import type { Settings } from '../config/settings.ts';
import { mcpServerRoutes } from '../contract/mcp-server-routes.ts';
import { flowFetch, type FlowNetworkSettings } from '../flow-runs/flow-network.ts';
import { openRunClients } from '../flow-runs/run-clients.ts';
import { createSecretsOf } from '../flow-runs/run-services.ts';
import type { Db } from '../store/database.ts';
import type { Variables } from '../variables/variables.ts';
import { type Route, route } from './route.ts';

export interface McpServerOptions {
  readonly variables: Pick<Variables, 'open'>;
  readonly settings: Pick<Settings, 'autoLogin' | 'baseDir' | 'filesystemPath' | 'flowCommands' | 'userQuotaBytes'> &
    FlowNetworkSettings;
  readonly storage: () => Promise<Db>;
}

const TIMEOUT_MS = 30_000;
const MAX_TOOLS = 200;
const MAX_SCHEMA_CHARS = 20_000;

/** Lists the tools of an MCP server with the rules of a run: the guarded fetch, and commands that this user may start. */
export function makeMcpServerRoutes({ variables, settings, storage }: McpServerOptions): Route[] {
  const fetch = flowFetch(settings);
  const secretsOf = createSecretsOf({ variables, settings });
  /** Users whose request is under way. */
  const busy = new Set<string>();
  return [
    route(mcpServerRoutes.listMcpTools, async ({ caller: { userId }, body, signal, problem }) => {
      if (busy.has(userId)) throw problem('busy', 'Another list of tools is on its way. Try again when it has come.');
      busy.add(userId);
      const { services, close } = openRunClients({ fetch, settings, storage }, userId);
      const late = AbortSignal.timeout(TIMEOUT_MS);
      let secrets: ReadonlySet<string> = new Set();
      const shown = (text: string) => redactText(text, secrets);
      try {
        secrets = await secretsOf(userId);
        const bound = (await variables.open(userId)).filter(({ hosts }) => hosts.length > 0);
        const credential = (name: string) => bound.find((each) => each.name === name);
        const limits = { signal: AbortSignal.any([signal, late]), timeoutMs: TIMEOUT_MS };
        const connection = await services.mcp?.(mcpServerOf(body.server, { credential }), limits);
        const tools = (connection?.tools ?? []).slice(0, MAX_TOOLS);
        return { tools: tools.map((tool) => shownTool(tool, shown)), failure: null };
      } catch (error) {
        const { message, fix } = failureOf(error, late);
        return { tools: [], failure: { message: shown(message), fix: shown(fix) } };
      } finally {
        close();
        busy.delete(userId);
      }
    }),
  ];
}

function shownTool({ name, description, parameters, readOnly }: McpTool, shown: (text: string) => string) {
  return { name: shown(name), description: shown(description), parameters: shownSchema(parameters, shown), readOnly };
}

function shownSchema(parameters: McpTool['parameters'], shown: (text: string) => string): Record<string, unknown> {
  try {
    const text = JSON.stringify(parameters);
    return text.length > MAX_SCHEMA_CHARS ? {} : (JSON.parse(shown(text)) as Record<string, unknown>);
  } catch {
    // It is nested too deeply, or a redaction that is not inside of one text breaks the JSON.
    return {};
  }
}

/** For the author of the flow. @throws what is not an error of the component or of the network */
function failureOf(error: unknown, late: AbortSignal): { readonly message: string; readonly fix: string } {
  const { message, fix } = (error ?? {}) as { message?: unknown; fix?: unknown };
  if (typeof message === 'string' && typeof fix === 'string') return { message, fix };
  if (!late.aborted) throw error;
  return { message: `The MCP server did not answer within ${TIMEOUT_MS / 1_000} seconds.`, fix: 'Check the server.' };
}
