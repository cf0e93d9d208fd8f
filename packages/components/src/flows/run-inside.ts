import { type NodeCall, type Outputs, type Progress, type RunEvent, runFlow } from '@croft/flow';
import { ComponentError, type Services } from '../services.ts';
import type { FlowInputs } from './flow-inputs.ts';
import type { FoundFlow } from './flow-library.ts';

/**
 * Runs a flow inside of a node, with the files, models and limits of the run. Reports its texts, its progress and its
 * tokens, and gives the outputs at its end by node. Step keys of its nodes begin with the key of the outer node.
 *
 * @throws ComponentError that names the node of the flow that failed
 */
export async function* runInside(
  { id, flow, registry }: FoundFlow<Services>,
  inputs: FlowInputs,
  { services, signal, stepKey }: Pick<NodeCall<Services>, 'services' | 'signal' | 'stepKey'>,
): AsyncGenerator<Progress, Readonly<Record<string, Outputs>>, void> {
  const { flows } = services;
  const inner: Services = {
    ...services,
    ask: refuseQuestion,
    ...(flows && { flows: { ...flows, underWay: [...flows.underWay, { id, name: flow.name }] } }),
  };
  const running = runFlow(flow, { registry, services: inner, inputs, signal, timeoutMs: Infinity, runId: stepKey });
  let finished = 0;
  try {
    for (;;) {
      const { done, value } = await running.next();
      if (done === true) {
        if (value.status === 'completed') return value.outputs;
        signal.throwIfAborted();
        const { node, message, fix } = value.failure ?? { message: value.text };
        throw new ComponentError(
          `The flow '${flow.name}' failed${node === undefined ? '' : ` at ${node}`}: ${message}`,
          fix ?? 'Run that flow by itself to see what happens.',
        );
      }
      for (const event of value) {
        if (event.kind === 'node_finished')
          yield { kind: 'progress', done: ++finished, text: `${flow.name}: ${event.node}` };
        yield* reportsOf(event, flow.name);
      }
    }
  } finally {
    // Reading ends early where the outer run is cancelled: this stops the inner one.
    await running.return(undefined as never);
  }
}

/** A wait for a person ends the attempt of the outer run, which cannot continue inside of a node. */
async function refuseQuestion(): Promise<never> {
  throw new ComponentError('A flow inside of another one cannot ask a person.', 'Ask in the outer flow.');
}

function* reportsOf(event: RunEvent, name: string): Generator<Progress> {
  if (event.kind === 'token') yield { kind: 'token', text: event.text };
  else if (event.kind === 'log') yield { kind: 'log', text: `${name}: ${event.node}: ${event.text}` };
  else if (event.kind === 'node_finished' && event.tokens !== undefined)
    yield {
      kind: 'usage',
      model: name,
      inputTokens: event.tokens.input,
      outputTokens: event.tokens.output,
    };
}
