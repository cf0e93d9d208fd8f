import type { ServerResponse } from 'node:http';
import { encodeFrame } from '@croft/event-log';
import type { FlowDocument, Metrics } from '@croft/flow';
import { EVENT_STREAM_HEADERS, MAX_WAITING_BYTES } from '../event-stream.ts';
import { onClosed } from '../on-closed.ts';
import type { Problem } from '../problem.ts';
import { problem } from '../routes/route.ts';
import type { LiveRun } from './live-runs.ts';
import type { RunOutcome } from './execute-live-run.ts';

/** A run as OpenAI's chat API shows it. */
export interface Completion {
  readonly run: LiveRun;
  readonly flow: FlowDocument;
  /** As the client named it. */
  readonly model: string;
  /** Seconds. */
  readonly created: number;
}

/** The whole answer. @throws Problem `run_failed` */
export function completionOf({ run, model, created }: Completion, outcome: RunOutcome) {
  requireCompleted(outcome);
  return {
    id: `chatcmpl-${run.id}`,
    object: 'chat.completion',
    created,
    model,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: outcome.answer, refusal: null },
        logprobs: null,
        finish_reason: 'stop',
      },
    ],
    usage: usageOf(outcome.metrics),
  };
}

/**
 * Writes the answer in chunks. Tokens go out at once where the one chat output shows the answer of one node; where the
 * answer differs from these tokens, it follows them whole. The response begins with the first chunk, so that a run that
 * fails before it has an error status.
 *
 * @throws Problem `run_failed` where nothing was written
 */
export async function streamCompletion(
  completion: Completion,
  response: ServerResponse,
  { includeUsage }: { readonly includeUsage: boolean },
): Promise<void> {
  const { run, flow, model, created } = completion;
  let sent = '';
  const write = (fields: object) => {
    if (response.writableLength > MAX_WAITING_BYTES) response.destroy();
    if (response.closed || response.writableEnded) return;
    if (!response.headersSent) response.writeHead(200, EVENT_STREAM_HEADERS);
    const chunk = { id: `chatcmpl-${run.id}`, object: 'chat.completion.chunk', created, model, ...fields };
    response.write(encodeFrame({ data: JSON.stringify(chunk) }));
  };
  const writeText = (text: string) => {
    const delta = sent === '' ? { role: 'assistant', content: text } : { content: text };
    write({ choices: [{ index: 0, delta, logprobs: null, finish_reason: null }] });
    sent += text;
  };
  const leave = followAnswer(run, flow, writeText);
  const forget = onClosed(response, run.cancel);
  try {
    const outcome = await run.outcome;
    const failed = failureOf(outcome);
    if (failed !== undefined && !response.headersSent) throw failed;
    if (failed !== undefined) write({ error: { code: failed.code, type: failed.code, message: failed.message } });
    else {
      writeText(outcome.answer.startsWith(sent) ? outcome.answer.slice(sent.length) : `\n\n${outcome.answer}`);
      write({ choices: [{ index: 0, delta: {}, logprobs: null, finish_reason: 'stop' }] });
      if (includeUsage) write({ choices: [], usage: usageOf(outcome.metrics) });
      if (!response.closed) response.write(encodeFrame({ data: '[DONE]' }));
    }
    response.end();
  } finally {
    leave();
    forget();
  }
}

/**
 * Gives the tokens of the answer as they come, where the flow's one chat output shows the answer of one node, and no others.
 *
 * @returns ends it
 */
export function followAnswer(run: LiveRun, flow: FlowDocument, take: (text: string) => void): () => void {
  const source = tokenSource(flow);
  return run.log.follow({
    take({ event, data }) {
      if (event !== 'token') return true;
      const { node, text } = JSON.parse(data) as { node: string; text: string };
      if (node === source) take(text);
      return true;
    },
    end: () => undefined,
  });
}

/** The node whose answer the flow's one chat output shows. */
function tokenSource({ nodes, edges }: FlowDocument): string | undefined {
  const outputs = nodes.filter(({ type }) => type === 'ChatOutput');
  const [edge, ...more] = edges.filter(({ to }) => to.node === outputs[0]?.id);
  return outputs.length === 1 && more.length === 0 ? edge?.from.node : undefined;
}

const usageOf = ({ input_tokens, output_tokens, total_tokens }: Metrics) => ({
  prompt_tokens: input_tokens,
  completion_tokens: output_tokens,
  total_tokens,
});

/** @throws Problem `run_failed` */
function requireCompleted(outcome: RunOutcome): void {
  const failed = failureOf(outcome);
  if (failed !== undefined) throw failed;
}

/** With a status that clients do not retry, because a retry would repeat the effects of the run. */
function failureOf({ status, text, failure }: RunOutcome): Problem | undefined {
  if (status === 'completed') return undefined;
  const place = failure?.node === undefined ? '' : `${failure.node}: `;
  return problem('run_failed', `${place}${failure?.message ?? text}${failure?.fix ? ` ${failure.fix}` : ''}`);
}
