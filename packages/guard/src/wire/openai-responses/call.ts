import type { JsonObject } from '../wire-json.ts';
import type { SeenCall } from '../wire.ts';

/** One complete call, seen in one place or in several that agree. */
export interface Call {
  readonly key: string;
  /** The item as a client would run it; `undefined` if only fragments arrived. */
  readonly item: JsonObject | undefined;
  readonly seen: SeenCall;
  outcome: 'pending' | 'allowed' | 'blocked';
  /** The message that replaces the item once it is blocked. */
  replacement: JsonObject | undefined;
  /** The result for upstreams that store the response, once the call is blocked. */
  result: JsonObject | undefined;
}
