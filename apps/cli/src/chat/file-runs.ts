import { randomUUID } from 'node:crypto';
import type { Canvas, FlowRuns, LatestRun } from '@croft/assistant';
import type { CroftComponent } from '@croft/components';
import { describeFlowIo, type Registry, type RunEvent, runToEnd } from '@croft/flow';
import type { FlowServices } from '../compose/flow-services.ts';
import { ForModel } from './file-canvas.ts';

const TIMEOUT_MS = 120_000;
const MAX_KEPT = 20;
/** Of one run: the newest ones, which have its failure. */
const MAX_EVENTS = 2_000;

export interface FileRunOptions {
  readonly canvas: Pick<Canvas, 'read'>;
  readonly registry: () => Promise<Registry<CroftComponent>>;
  readonly services: Pick<FlowServices, 'services' | 'secrets'>;
}

/** Runs of a flow in this process, for its assistant. The newest ones can be read. */
export function createFileRuns({ canvas, registry: registryNow, services: opened }: FileRunOptions): FlowRuns {
  const kept = new Map<string, { readonly events: RunEvent[]; leftOut: number }>();
  let latest: LatestRun | undefined;
  return {
    async start(message, allowed) {
      const { flow, version } = await canvas.read();
      if (version !== allowed) return undefined;
      const registry = await registryNow();
      const stop = new AbortController();
      const id = randomUUID();
      const own = { events: [] as RunEvent[], leftOut: 0 };
      kept.set(id, own);
      const [oldest] = kept.keys();
      if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
      const entry = describeFlowIo(flow, registry).inputs.find(
        ({ type }) => type === 'ChatInput' || type === 'TextInput',
      );
      if (message !== undefined && entry === undefined) throw new ForModel('The flow has no chat input or text input.');
      const options = {
        registry,
        services: opened.services(flow.name),
        secrets: opened.secrets,
        inputs: entry === undefined || message === undefined ? {} : { [entry.id]: { [entry.value_field]: message } },
        signal: stop.signal,
        timeoutMs: TIMEOUT_MS,
      };
      const ended = runToEnd(flow, options, (event) => {
        if (event.kind === 'token' || own.events.push(event) <= MAX_EVENTS) return;
        own.events.shift();
        own.leftOut++;
      }).then(({ status, text, failure, metrics }) => {
        latest = { status, text, ...(failure && { failure }) };
        return { ...latest, metrics };
      });
      return { id, ended, cancel: () => stop.abort() };
    },
    async read(id) {
      const found = kept.get(id);
      return found?.leftOut ? [`${found.leftOut} earlier events`, ...found.events] : found?.events;
    },
    latest: async () => latest,
  };
}
