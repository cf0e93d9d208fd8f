import type { Services } from '@croft/components';
import type { RunContext, RunReader, RunServices as WorkerServices, StepFacts, WorkerSettings } from '@croft/runs';
import { readStartedBy } from '../contract/run-starts.ts';
import { VIA_OF_RUN } from '../files/actor-of.ts';
import { isOfThisMode } from '../local-user.ts';
import { getUser } from '../store/users.ts';
import { inputLine } from './input-line.ts';
import { requireRoom } from './queue-room.ts';
import type { QueuedRunOptions } from './queued-run-options.ts';
import { requireRunnable } from './run-request.ts';
import { scheduleInputs } from './trigger-inputs.ts';
import { withoutQueries } from './without-queries.ts';

const POLL_MS = 250;
/** Their writes carry the key of the step, so that a repeated step writes nothing twice. */
const WRITES_ONCE: ReadonlySet<string> = new Set(['Memory', 'VectorStoreWrite']);

/** The effects that a repeated step has again. */
function withoutKeyedWrites(facts: StepFacts): StepFacts {
  if (!WRITES_ONCE.has(facts.type)) return facts;
  return { ...facts, effects: facts.effects.filter((effect) => effect !== 'database-write') };
}

/** How this thread runs queued runs. */
export async function workerSettings(
  options: QueuedRunOptions,
  reader: () => Promise<RunReader>,
): Promise<WorkerSettings<Services>> {
  const { flowComponents, openServices, secretsOf, log, workerName, ...rest } = options;
  const db = await rest.storage();
  const { repeatByEffect } = await import('@croft/runs');
  return {
    name: workerName,
    registry: flowComponents.builtins,
    pollMs: POLL_MS,
    policy: (facts: StepFacts) => repeatByEffect(withoutKeyedWrites(facts)),
    ...withoutQueries<Pick<WorkerSettings<Services>, 'flowOf' | 'services'>>(
      {
        async flowOf({ userId, flowId, timeZone }, due) {
          const user = await getUser(db, userId);
          if (user?.disabled || !isOfThisMode(userId, rest)) return null;
          const found = user && (await rest.readApproved(userId, flowId));
          if (found === undefined) return undefined;
          const { document: flow, documentBytes } = found;
          const { registry, findings } = await flowComponents.forFlow(userId, flow);
          await requireRunnable(flow, registry, {}, findings);
          await requireRoom(await reader(), userId, documentBytes);
          const inputs = scheduleInputs(flow, due, timeZone);
          return { flow, inputs, input: inputLine(flow, registry, inputs, await secretsOf(userId)) };
        },
        async services({
          runId,
          userId,
          flowId,
          source,
          key,
          flow,
          inputs,
          ask,
          remember,
        }: RunContext): Promise<WorkerServices<Services>> {
          const user = await getUser(db, userId);
          if (user === undefined || user.disabled) throw new Error('Its user was disabled or removed.');
          if (!isOfThisMode(userId, rest)) throw new Error('Its user is one of the other way to sign in.');
          const { registry } = await flowComponents.forFlow(userId, flow);
          const opened = await openServices(
            // Runs that older builds queued have other sources.
            { userId, via: VIA_OF_RUN[readStartedBy(source) ?? 'key'], client: null, key },
            { id: runId, flowId: flowId ?? '', flow, inputs },
          );
          return { ...opened, registry, services: { ...opened.services, ask, remember } };
        },
      },
      log,
    ),
  };
}
