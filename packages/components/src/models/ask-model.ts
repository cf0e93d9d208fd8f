import type { Progress } from '@croft/flow';
import type { ModelRef, ModelRequest, ModelResult } from '@croft/models';
import { readModelRef } from '@croft/models';
import { requireModels, type Services } from '../services.ts';

/** The value on an edge of type LanguageModel: a model, and settings for its requests. Plain JSON. */
export interface ModelValue extends ModelRef {
  readonly temperature?: number;
  readonly max_tokens?: number;
}

/** The model of a field, with the settings of the component that an edge comes from. Undefined: the preferred model. */
export function modelIn(value: unknown): {
  readonly ref: ModelRef | undefined;
  readonly settings: Partial<ModelValue>;
} {
  const ref = readModelRef(value);
  const { temperature, max_tokens } = (value ?? {}) as Partial<Record<'temperature' | 'max_tokens', unknown>>;
  return {
    ref,
    settings: {
      ...(typeof temperature === 'number' && { temperature }),
      ...(typeof max_tokens === 'number' && { max_tokens }),
    },
  };
}

/** The model that answers where a field names none. */
export const modelOrPreferred = (services: Services, ref: ModelRef | undefined): ModelRef =>
  ref ?? requireModels(services).preferred;

/**
 * Asks a model and reports tokens of text, tool calls, fallbacks, usage and a reply that was cut as progress.
 *
 * @throws ModelError; ComponentError where the run has no models
 */
export async function* askModel(
  services: Services,
  request: ModelRequest,
  options: { readonly streams: boolean },
): AsyncGenerator<Progress, ModelResult, void> {
  const running = requireModels(services).stream(request);
  try {
    for (;;) {
      const { done, value } = await running.next();
      if (done === true) {
        const { model, usage, finish } = value;
        yield { kind: 'usage', model: `${model.provider}/${model.name}`, ...usage };
        if (finish === 'length') yield { kind: 'log', text: cutText(request.maxOutputTokens) };
        return value;
      }
      if (value.kind === 'text') {
        if (options.streams) yield { kind: 'token', text: value.text };
      } else if (value.kind === 'tool-call')
        yield { kind: 'log', text: `Calls ${value.name} with ${shortened(value.input)}` };
      else if (value.kind === 'tool-result')
        yield {
          kind: 'log',
          text: `${value.name} ${value.isError ? 'failed' : 'answered'}: ${shortened(value.output)}`,
        };
      else yield { kind: 'log', text: `${value.from} is not available on ${value.provider}. Trying ${value.to}.` };
    }
  } finally {
    await running.return(undefined as never).catch(() => undefined);
  }
}

const cutText = (limit: number | undefined): string =>
  limit === undefined
    ? 'The reply was cut at the token limit of the model. Ask for a shorter reply, or choose a model with longer ones.'
    : `The reply was cut at the token limit of ${limit}. Raise max_tokens.`;

const MAX_LOGGED = 500;

function shortened(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return text.length > MAX_LOGGED ? `${text.slice(0, MAX_LOGGED)}…` : text;
}

/** A positive number of a field; undefined where the field is empty or 0. */
export const positive = (value: unknown): number | undefined =>
  typeof value === 'number' && value > 0 ? value : undefined;
