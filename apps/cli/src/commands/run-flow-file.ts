import {
  asSentence,
  type Failure,
  type FlowDocument,
  type RunEvent,
  type RunResult,
  runToEnd,
  validateFlow,
} from '@croft/flow';
import type { Models } from '@croft/models';
import { bestResolver } from '@croft/workspace';
import { chosenModels, withOneModel } from '../compose/environment-models.ts';
import { openFlowServices } from '../compose/flow-services.ts';
import { watchProviders } from '../compose/watch-providers.ts';
import { requireProtection } from '../compose/protection.ts';
import { raiseRunWall } from '../compose/run-wall.ts';
import { readFlowWithCode } from '../compose/flow-code.ts';
import { palette } from '../render/colours.ts';
import { printable, printableJson, shownOn } from '../render/printable.ts';
import { UsageError } from '../usage-error.ts';
import type { RunFlags } from './run-flags.ts';
import { checkUntil, readInputs } from './run-inputs.ts';

const EXIT = { completed: 0, failed: 1, timed_out: 1, cancelled: 130 } as const;

/** Runs a flow in this process: history in memory, files in one directory. Sets the exit code. */
export async function runFlowFile(file: string, flags: RunFlags): Promise<void> {
  const dir = flags.dir ?? process.cwd();
  const wall = await raiseRunWall(file, dir, flags);
  if (flags.requireSandbox === true) requireProtection(bestResolver(), wall);
  const { flow, registry, findings: inCode } = await readFlowWithCode(file, dir);
  const findings = [...inCode, ...validateFlow(flow, registry).filter(({ severity }) => severity === 'error')];
  const inputs = readInputs(flow, registry, flags.input, (note) =>
    process.stderr.write(`${palette(process.stderr).dim(printable(note))}\n`),
  );
  checkUntil(flow, flags.until);
  const blocking = findings.filter(
    ({ code, node, field }) => code !== 'missing_value' || inputs[node ?? '']?.[field ?? ''] === undefined,
  );
  if (blocking.length > 0)
    throw new UsageError(
      `the flow cannot run:\n${blocking.map(({ message, fix }) => `  ${message} ${fix}`).join('\n')}`,
    );
  const usesModels = flow.nodes.some(({ type }) => registry.get(type)?.descriptor.effects.includes('model'));
  const watched = usesModels ? watchProviders(await modelsFor(flags)) : undefined;
  const opened = openFlowServices(dir, flags, watched?.models);
  const abort = new AbortController();
  const onSignal = () => abort.abort();
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal);
  try {
    const options = {
      registry,
      services: opened.services(flow.name),
      inputs,
      signal: abort.signal,
      timeoutMs: flags.timeout * 1_000,
      secrets: opened.secrets,
      ...(flags.until !== undefined && { until: flags.until }),
    };
    const result = await runToEnd(flow, options, (event) => {
      if (flags.json === true) process.stdout.write(`${printableJson(event)}\n`);
      else showEvent(event, flow);
    });
    if (flags.json !== true) showResult(result, flow, watched?.hasAskedProvider() === true);
    process.exitCode = EXIT[result.status];
  } finally {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
    await opened.close();
  }
}

/** A model that the person chose for this run counts for all components: an imported flow may name one without a key here. */
async function modelsFor({ model }: RunFlags): Promise<Models> {
  const models = await chosenModels(model);
  return model === undefined ? models : withOneModel(models);
}

/** Progress goes to standard error, so that standard output is the result alone. The result names a failure that ends the run. */
function showEvent(event: RunEvent, flow: FlowDocument): void {
  const { dim, red } = palette(process.stderr);
  if (event.kind === 'node_failed' && event.handled)
    process.stderr.write(`${red('failed')}  ${named(flow, event.node)}: ${printable(event.failure.message)}\n`);
  else if (process.stderr.isTTY && event.kind === 'node_finished')
    process.stderr.write(
      dim(
        `${named(flow, event.node)}${event.path === '' ? '' : ` ${printable(event.path)}`}  ${event.ms.toFixed(0)} ms\n`,
      ),
    );
  else if (process.stderr.isTTY && event.kind === 'token') process.stderr.write(dim(printable(event.text)));
}

const named = (flow: FlowDocument, id: string): string =>
  printable(flow.nodes.find((node) => node.id === id)?.name ?? id);

function showResult(
  { status, text, failure, metrics }: RunResult,
  flow: FlowDocument,
  hasAskedProvider: boolean,
): void {
  const { dim, red } = palette(process.stderr);
  // A file that a flow read may hold escape sequences.
  if (status === 'completed') process.stdout.write(`${shownOn(process.stdout, text)}\n`);
  else
    process.stderr.write(`${red(status.replace('_', ' '))}${failure === undefined ? '' : reasonOf(failure, flow)}\n`);
  const tokens =
    hasAskedProvider && metrics.total_tokens > 0
      ? ` · used ${metrics.total_tokens} tokens (${metrics.input_tokens} in / ${metrics.output_tokens} out)`
      : '';
  process.stderr.write(`${dim(`(Ran in ${metrics.duration_seconds}s${tokens})`)}\n`);
}

function reasonOf({ node, message, fix }: Failure, flow: FlowDocument): string {
  const place = node === undefined ? ':' : `  ${named(flow, node)}:`;
  return `${place} ${printable(fix === undefined ? message : `${asSentence(message)} ${fix}`)}`;
}
