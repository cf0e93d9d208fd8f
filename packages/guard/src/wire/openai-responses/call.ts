import type { JsonObject } from '../wire-json.ts';
import type { SeenCall } from '../wire.ts';

/** One complete call, as it was seen in one place or in several that agree. */
export interface Call {
  readonly key: string;
  /** The item as a client would run it; `undefined` when only fragments came. */
  readonly item: JsonObject | undefined;
  readonly seen: SeenCall;
  outcome: 'pending' | 'allowed' | 'blocked';
  /** The item in its place, once it is blocked. */
  replacement: JsonObject | undefined;
  /** What answers it where upstream keeps the response, once it is blocked. */
  result: JsonObject | undefined;
}
