import { replaceTexts } from '@croft/flow';
import { ReplyTooLargeError } from './bounded-replies.ts';
import { ModelError, type ModelErrorCode } from './errors.ts';
import { isModelUnavailable } from './fallback.ts';
import { failureText, partsOf } from './failure-text.ts';

/** The call that failed. */
export interface FailureContext {
  /** The provider's name. */
  readonly provider: string;
  /** The variables with the provider's key, for the advice; empty if it needs none. */
  readonly variables: readonly string[];
  /** Texts that no error may contain. */
  readonly secrets: readonly string[];
}

const MAX_DETAIL = 300;

/** Sentences for each kind of failure. Compatible with Langflow, so that clients can match them. */
const SENTENCES: Readonly<
  Record<Exclude<ModelErrorCode, 'unknown_model' | 'not_configured' | 'models_exhausted'>, string>
> = {
  authentication: 'Authentication failed. Check your API key.',
  rate_limit: 'Rate limit exceeded. Please wait a moment and try again.',
  quota: 'API quota exceeded. Please check your account billing.',
  timeout: 'Request timed out. Please try again.',
  unreachable: 'Connection error. Please check your network and try again.',
  server_error: 'Server error. Please try again later.',
  model_unavailable: 'Model not available. Please select a different model.',
  content_filter: 'Request blocked by content policy. Please modify your prompt.',
  bad_request: 'The provider rejected the request.',
  bad_reply: 'The provider sent a reply that is not valid.',
  cancelled: 'The request was cancelled.',
};

type Explained = keyof typeof SENTENCES;

/** A failure of the SDK, of the network or of a stream as a {@link ModelError} without keys. */
export function explainError(error: unknown, context: FailureContext): ModelError {
  if (error instanceof ModelError) return error;
  const { lastError } = partsOf(error);
  if (lastError !== undefined) return explainError(lastError, context);
  const refusal = refusalIn(error);
  if (refusal !== undefined)
    return new ModelError(
      'unreachable',
      `${context.provider}: ${redact(refusal.message, context.secrets)}`,
      refusal.fix,
    );
  const tooLarge = tooLargeIn(error);
  if (tooLarge !== undefined)
    return new ModelError(
      'bad_reply',
      `${context.provider}: ${SENTENCES.bad_reply} ${tooLarge.message}`,
      adviceOn('bad_reply', context),
    );
  const code = codeOf(error);
  const detail = code === 'authentication' ? '' : detailOf(error, context.secrets);
  return new ModelError(
    code,
    `${context.provider}: ${SENTENCES[code]}${detail === '' ? '' : ` Details: ${detail}`}`,
    adviceOn(code, context),
  );
}

/** A request that was refused before it was sent, such as one to a private address: no provider sent the reason. */
function refusalIn(error: unknown): { readonly message: string; readonly fix: string } | undefined {
  const { name, message, fix, cause } = partsOf(error);
  if (name === 'NetworkError' && typeof message === 'string' && typeof fix === 'string') return { message, fix };
  return cause === undefined ? undefined : refusalIn(cause);
}

/** The SDK wraps an error of the body of a response. */
function tooLargeIn(error: unknown): ReplyTooLargeError | undefined {
  if (error instanceof ReplyTooLargeError) return error;
  const { cause } = partsOf(error);
  return cause === undefined ? undefined : tooLargeIn(cause);
}

function codeOf(error: unknown): Explained {
  const { name, statusCode } = partsOf(error);
  const text = failureText(error).toLowerCase();
  if (name === 'AbortError' || name === 'ResponseAborted') return 'cancelled';
  if (name === 'TimeoutError') return 'timeout';
  if (NOT_VALID.test(text)) return 'bad_reply';
  if (isModelUnavailable(error)) return 'model_unavailable';
  if (typeof statusCode === 'number' && statusCode >= 300) return codeOfStatus(statusCode, text);
  if (QUOTA.test(text)) return 'quota';
  if (/rate_limit|rate limit|too many requests|resource_exhausted/.test(text)) return 'rate_limit';
  if (text.includes('billing')) return 'quota';
  if (/invalid_api_key|incorrect api key|authentication_error|unauthorized/.test(text)) return 'authentication';
  if (/overloaded|server_error|internal error|unavailable/.test(text)) return 'server_error';
  if (/content_filter|content policy/.test(text)) return 'content_filter';
  if (isNetworkFailure(error)) return 'unreachable';
  return 'bad_reply';
}

/** How the SDK words a part it cannot read. It may give such a failure status 500. */
const NOT_VALID = /json parsing failed|type validation failed|ai_jsonparseerror|ai_typevalidationerror/;

/** Without "billing": texts about rate limits link to pages of that name. */
const QUOTA = /insufficient_quota|credit balance|exceeded your current quota/;

function codeOfStatus(status: number, text: string): Explained {
  if (status === 402 || QUOTA.test(text) || (status !== 429 && text.includes('billing'))) return 'quota';
  if (status === 401 || status === 403 || /api key not valid|invalid_api_key/.test(text)) return 'authentication';
  if (status === 429) return 'rate_limit';
  if (status === 408 || status === 504) return 'timeout';
  if (status >= 500) return 'server_error';
  if (/content_filter|content policy|safety system/.test(text)) return 'content_filter';
  return 'bad_request';
}

const NETWORK = /cannot connect to api|fetch failed|\bterminated\b|socket|econn|enotfound|eai_again|network|redirect/i;

function isNetworkFailure(error: unknown): boolean {
  const { message, code, cause } = partsOf(error);
  if (typeof code === 'string' && NETWORK.test(code)) return true;
  return (typeof message === 'string' && NETWORK.test(message)) || (cause !== undefined && isNetworkFailure(cause));
}

/** The provider's own words: one line, bounded, without keys. */
function detailOf(error: unknown, secrets: readonly string[]): string {
  const { message } = partsOf(error);
  const said = (typeof message === 'string' ? message : failureText(error)).replace(/\s+/g, ' ').trim();
  const clean = redact(said, secrets);
  return clean.length > MAX_DETAIL ? `${clean.slice(0, MAX_DETAIL)}…` : clean;
}

/** Replaces the given secrets, and what looks like a key of a known provider. */
function redact(text: string, secrets: readonly string[]): string {
  const own = secrets.filter(({ length }) => length >= 4);
  const clean = replaceTexts(text, own, '[redacted]');
  return clean.replace(/\b(?:sk|gsk|pk)[-_][\w*-]{6,}|\bAIza[\w-]{10,}|\bBearer\s+\S+/g, '[redacted]');
}

function adviceOn(code: Explained, { provider, variables }: FailureContext): string {
  const names = variables.join(' and ');
  switch (code) {
    case 'authentication':
      return names === ''
        ? `Use a server of ${provider} that needs no key.`
        : `Set ${names} to a valid key of ${provider}.`;
    case 'rate_limit':
      return 'Wait a minute, send fewer requests at once, or use a model of another provider.';
    case 'quota':
      return `Check the plan and billing of your ${provider} account, or use another provider.`;
    case 'timeout':
      return 'Try again, or use a faster model.';
    case 'unreachable':
      return `Check the network. If you set another address for ${provider}, check that a server answers there.`;
    case 'server_error':
      return `Try again later, or use another provider while ${provider} has a problem.`;
    case 'model_unavailable':
      return `Choose a model that your ${provider} account can use.`;
    case 'content_filter':
      return 'Change the request and try again.';
    case 'bad_request':
      return 'Shorten the request, or choose a model that supports what the request uses.';
    case 'bad_reply':
      return `Check that the address of ${provider} is the API and not a web page, then try again.`;
    case 'cancelled':
      return 'Start the request again.';
  }
}
