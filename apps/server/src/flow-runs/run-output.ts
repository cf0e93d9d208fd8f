import { endOutside, type FlowDocument, previewOf, type RunResult, textBeginning } from '@croft/flow';
import { redacted, withoutSecrets } from './secret-texts.ts';

/** Larger outputs are shown as previews. */
const MAX_OUTPUT_CHARS = 4 * 1024 * 1024;

const shownText = (value: unknown): string => textBeginning(value, 2 * MAX_OUTPUT_CHARS);

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

/** The flow's answer to a person: the texts of its outputs, without secrets. A longer one is cut. */
export function answerOf({ outputs, text }: RunResult, flow: FlowDocument, secrets: ReadonlySet<string>): string {
  const own = flow.nodes.flatMap(({ id, type }) => (type === 'ChatOutput' ? Object.values(outputs[id] ?? {}) : []));
  if (own.length === 0) return text;
  let answer = shownText(own[0]);
  for (let at = 1; at < own.length && answer.length <= MAX_OUTPUT_CHARS; at++) answer += `\n${shownText(own[at])}`;
  const end = answer.length <= MAX_OUTPUT_CHARS ? answer.length : endOutside(answer, MAX_OUTPUT_CHARS, secrets);
  return redacted(answer.slice(0, end), secrets);
}
