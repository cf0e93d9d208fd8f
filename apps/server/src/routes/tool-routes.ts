import { callTool, findTool, TOOLSETS, type ToolResult, type ToolsetName, type ToolTable } from '@croft/tools';
import type { GatewayStatus } from '@croft/gateway';
import type { Hub } from '@croft/gateway/hub';
import type { Settings } from '../config/settings.ts';
import { toolRoutes } from '../contract/tool-routes.ts';
import { machineTools } from '../files/caller-tools.ts';
import { type CallerToolsets, reporter } from '../files/caller-toolsets.ts';
import type { LocalAccess } from '../files/local-access.ts';
import { actorOf } from '../files/actor-of.ts';
import type { Caller } from '../identity.ts';
import type { Log } from '../log.ts';
import { createCallTurns } from './call-turns.ts';
import { refuseOtherRoot } from './file-routes.ts';
import { problem, type Route, route } from './route.ts';

export interface ToolRouteOptions {
  readonly hub: Hub;
  readonly localAccess: LocalAccess;
  readonly log: Log;
  readonly settings: Pick<Settings, 'autoLogin'>;
  readonly toolsets: CallerToolsets;
}

/** The tools over plain HTTP, for scripts: the arguments and results of MCP. */
export function makeToolRoutes(options: ToolRouteOptions): Route[] {
  const { hub, log, settings, toolsets } = options;
  const turn = createCallTurns();
  return [
    route(toolRoutes.callTool, async (call) => {
      const { toolset } = call.params;
      if (!(TOOLSETS as readonly string[]).includes(toolset))
        throw call.problem('not_found', `There is no such toolset. There are ${TOOLSETS.join(', ')}.`);
      refuseOtherRoot(settings, call.query.root);
      await turn(call.caller.userId);
      return answerCall(toolsets.tableOf(actorOf(call.caller), toolset as ToolsetName), call.params.name, call);
    }),
    route(toolRoutes.callMachineTool, async (call) => {
      const { userId } = call.caller;
      const tools = await machineTools(options, userId);
      if (tools.length === 0) throw call.problem('not_connected', noMachine(hub.status(userId)));
      return answerCall({ tools, onInternalError: reporter({ log }), timeoutMs: 120_000 }, call.params.name, call);
    }),
  ];
}

function noMachine({ connected, enabled }: GatewayStatus): string {
  if (connected && enabled)
    return 'The connected machine offers no tools. Update the program on it, or connect the folder with croft connect.';
  return enabled
    ? 'No machine is connected. Connect one with croft connect.'
    : 'Files of machines are switched off for agents. Switch them on under Connect, or with POST /instance-ai/filesystem/toggle.';
}

interface ToolRequest {
  readonly body: unknown;
  readonly caller: Caller;
  readonly signal: AbortSignal;
}

async function answerCall(table: ToolTable, name: string, { body, caller, signal }: ToolRequest) {
  if (findTool(table, name) === undefined)
    throw problem('not_found', `There is no such tool. There are ${table.tools.map((tool) => tool.name).join(', ')}.`);
  const context = { caller: `rest ${caller.userId}`, signal };
  return shownResult(refuseEnded(await callTool(table, { name, input: body }, context)));
}

/** A call that did not reach the machine has no result. @throws Problem `busy`, `not_connected` */
function refuseEnded(result: ToolResult): ToolResult {
  const { reason, error } = result.data;
  if (result.ok) return result;
  if (reason === 'busy') throw problem('busy', String(error), { 'Retry-After': '1' });
  if (reason === 'not_connected') throw problem('not_connected', String(error));
  return result;
}

function shownResult({ ok, data, text, media }: ToolResult) {
  return { ok, data, ...(text !== undefined && { text }), ...(media !== undefined && media.length > 0 && { media }) };
}
