import { callTool, findTool, TOOLSETS, type ToolResult, type ToolsetName, type ToolTable } from '@croft/tools';
import { z } from 'zod';
import { machineTools } from '../files/caller-tools.ts';
import { reporter } from '../files/caller-toolsets.ts';
import type { Parts } from '../parts.ts';
import { notFound, Problem } from '../problem.ts';
import type { EndpointCall, Endpoints } from './endpoint.ts';
import { readJson } from './read-json.ts';
import { actorOf, oldRoot, refuseOtherRoot } from './file-routes.ts';

/** As large as a message over MCP may be. */
const MAX_CALL_BYTES = 16 * 1024 * 1024;
const callAnswer = z.object({ ok: z.boolean(), data: z.record(z.string(), z.unknown()) });

/** The tools over plain HTTP, for scripts: same arguments, same results. */
export function addToolRoutes(endpoints: Endpoints, parts: Parts): void {
  endpoints.add(
    {
      method: 'post',
      path: '/api/v1/tools/:toolset/:name',
      summary: "Call a tool over the caller's files; the body is its arguments. A failure is an answer with ok: false",
      access: 'caller',
      query: z.object({ root: oldRoot }),
      answer: callAnswer,
    },
    async (call) => {
      const toolset = call.param('toolset');
      if (!(TOOLSETS as readonly string[]).includes(toolset))
        throw notFound(`There is no such toolset. There are ${TOOLSETS.join(', ')}.`);
      refuseOtherRoot(parts, call.query.root);
      const { via } = actorOf(call.caller);
      const { userId } = call.caller;
      return answerCall(parts.toolsets.tableOf(userId, toolset as ToolsetName, via), call);
    },
  );
  endpoints.add(
    {
      method: 'post',
      path: '/api/v1/gateway/tools/:name',
      summary: "Call a tool on the caller's connected machine",
      access: 'caller',
      answer: callAnswer,
    },
    async (call) => {
      const { userId } = call.caller;
      const tools = await machineTools(parts, userId);
      if (tools.length === 0) throw noMachine(parts.hub.status(userId).enabled);
      return answerCall({ tools, onInternalError: reporter(parts), timeoutMs: 120_000 }, call);
    },
  );
}

/** Why there is nothing to call. */
function noMachine(isOn: boolean): Problem {
  const what = isOn
    ? 'No machine is connected. Connect one with croft connect.'
    : 'Files of machines are switched off for agents. Switch them on under Connect, or with POST /instance-ai/filesystem/toggle.';
  return new Problem(409, 'not_connected', what);
}

async function answerCall(table: ToolTable, call: EndpointCall<unknown, unknown>): Promise<object> {
  const name = call.param('name');
  if (findTool(table, name) === undefined)
    throw notFound(`There is no such tool. There are ${table.tools.map((tool) => tool.name).join(', ')}.`);
  const input = await readJson(call.context.env.incoming, MAX_CALL_BYTES);
  const gone = new AbortController();
  // Nobody waits for it any longer.
  call.context.env.outgoing.once('close', () => gone.abort());
  const caller = `rest ${call.caller.userId}`;
  return shownResult(refuseEnded(await callTool(table, { name, input }, { caller, signal: gone.signal })));
}

/** A call that did not get to the machine is no result of it. @throws Problem */
function refuseEnded(result: ToolResult): ToolResult {
  const { reason, error } = result.data;
  if (result.ok) return result;
  if (reason === 'busy') throw new Problem(429, 'busy', String(error), { 'Retry-After': '1' });
  if (reason === 'not_connected') throw new Problem(409, 'not_connected', String(error));
  return result;
}

function shownResult({ ok, data, text, media }: ToolResult): object {
  return { ok, data, ...(text !== undefined && { text }), ...(media !== undefined && media.length > 0 && { media }) };
}
