import { type FlowDocument, previewOf, type RunResult, textOf } from '@croft/flow';
import { redacted, withoutSecrets } from './secret-texts.ts';

/** Larger outputs are shown as previews. */
const MAX_OUTPUT_CHARS = 4 * 1024 * 1024;

/** Outputs of the nodes at the flow's end as JSON, without secrets. Large ones are shortened, and say so. */
export function outputsOf({ outputs }: RunResult, secrets: ReadonlySet<string>): Record<string, unknown> {
  try {
    const text = JSON.stringify(outputs);
    if (text.length <= MAX_OUTPUT_CHARS)
      return withoutSecrets(JSON.parse(text) as unknown, secrets) as Record<string, unknown>;
  } catch {
    // A value that has no JSON, such as one with a circle.
  }
  return previewOf(outputs, secrets) as Record<string, unknown>;
}

/** The flow's answer to a person: the texts of its outputs, without secrets. */
export function answerOf({ outputs, text }: RunResult, flow: FlowDocument, secrets: ReadonlySet<string>): string {
  const own = flow.nodes.flatMap(({ id, type }) => (type === 'ChatOutput' ? Object.values(outputs[id] ?? {}) : []));
  return own.length === 0 ? text : redacted(own.map(textOf).join('\n'), secrets);
}
