import { formatMs } from '../canvas/result-text.ts';
import { OFFLINE } from './starters.ts';

/** A count of tokens, as a person reads it. */
export const tokensText = (tokens: number): string =>
  `${tokens.toLocaleString('en')} ${tokens === 1 ? 'token' : 'tokens'}`;

/** `provider/model`; the provider alone where it has one model without a name. */
export const modelText = (model: string): string => model.replace(/\/$/, '');

/** The cost of a message: time, tokens of a provider, and the model. */
export const costText = (seconds: number, tokens: number, model: string): string =>
  [formatMs(seconds * 1_000), ...(model === OFFLINE ? [] : [tokensText(tokens)]), modelText(model)].join(' · ');

/** The cost of a run: time, and tokens where a model was asked; nothing of what is not known. */
export const runCostText = (seconds: number | undefined, tokens: number | undefined): string =>
  [...(seconds === undefined ? [] : [formatMs(seconds * 1_000)]), ...(tokens ? [tokensText(tokens)] : [])].join(' · ');

/** A count with its noun. */
export const countText = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
