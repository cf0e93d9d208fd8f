import type { ChatMessage, ModelRef, ModelResult, ModelTool, StepUsage } from '@croft/models';
import { createSecretFilter } from './hide-secrets.ts';
import { SYSTEM } from './prompt.ts';
import type { Turn } from './turn.ts';
import type { TurnOutput } from './turn-ending.ts';

const STEPS = 100;

/** One request with its tool calls; reports its text as it comes. */
export async function askModel(
  turn: Turn,
  model: ModelRef,
  request: { messages: readonly ChatMessage[]; tools: readonly ModelTool[]; signal: AbortSignal },
  { emit, ending }: TurnOutput,
  halt: (reason: Error) => void,
): Promise<ModelResult> {
  const counted = { input: 0, output: 0 };
  const limit = turn.limits?.tokens;
  const onStep = ({ inputTokens, outputTokens, isLast }: StepUsage) => {
    ending.count(inputTokens, outputTokens);
    counted.input += inputTokens;
    counted.output += outputTokens;
    if (!isLast && limit !== undefined && ending.totalTokens >= limit) halt(new OutOfTokens(limit));
  };
  const running = turn.models.stream({
    onStep,
    model,
    system: SYSTEM,
    maxSteps: turn.limits?.steps ?? STEPS,
    // A copy: the request must not see what is added for the next one.
    ...request,
    messages: [...request.messages],
  });
  const shown = createSecretFilter(turn.secrets);
  const emitText = (chunk: string) => {
    if (chunk !== '') emit({ event: 'token', chunk });
  };
  try {
    for (;;) {
      const { done, value } = await running.next();
      if (done === true || value.kind !== 'text') emitText(shown.end());
      if (done === true) {
        const { inputTokens, outputTokens } = value.usage;
        ending.count(Math.max(0, inputTokens - counted.input), Math.max(0, outputTokens - counted.output));
        return value;
      }
      if (value.kind === 'text') emitText(shown.add(value.text));
      else if (value.kind === 'fallback')
        emit({
          event: 'notice',
          type: 'model_fallback',
          message: `${value.from} is not available on ${value.provider}. ${value.to} answers.`,
        });
    }
  } finally {
    void running.return(undefined as never).catch(() => undefined);
  }
}

/** Why the turn ends before the model was done; undefined where it was done. */
export function endOf({ limits }: Turn, result: ModelResult | undefined, tokens: number): string | undefined {
  if (result?.finish === 'steps')
    return 'The agent ran out of steps before finishing. Its changes are kept. Try again, or break the request into smaller parts.';
  if (result?.finish === 'length')
    return 'My reply was cut at the token limit of the model. My changes are kept. Break the request into smaller parts, or choose a model with longer replies.';
  if (limits?.tokens !== undefined && tokens >= limits.tokens) return new OutOfTokens(limits.tokens).message;
  return undefined;
}

/** The budget of the message is used up. */
class OutOfTokens extends Error {
  constructor(limit: number) {
    super(`I stopped at the limit of ${limit} tokens for one message. My changes are kept.`);
  }
}
