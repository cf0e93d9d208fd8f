import type { IncomingMessage } from 'node:http';
import type { Decision, ObservedCall } from '../decision.ts';
import type { Wire } from '../wire/wire.ts';
import type { KeptBody } from './kept-body.ts';

/** The facts about a request whose reply is judged. */
export interface GuardedRequest {
  readonly wire: Wire['name'];
  readonly method: string;
  /** The URL as the client wrote it, with its query. */
  readonly url: string;
  /** One header, by its lower-case name. May contain keys: never log it. */
  header(name: string): string | undefined;
  /** The requested model, if known. Parses the request's body once. */
  model(): string | undefined;
}

/** The judge for one request. */
export interface RequestJudge {
  /** An exception blocks the call. */
  judge(call: ObservedCall): Decision;
  /** If false (dry-run), calls are decided and reported, but not blocked. */
  readonly enforce: boolean;
}

/** Describes a request to the judge. The model is read from the kept body, at most once. */
export function describeRequest(req: IncomingMessage, wire: Wire, kept: KeptBody): GuardedRequest {
  const { headers, method = 'GET', url = '/' } = req;
  let model: { readonly name: string | undefined } | undefined;
  return {
    wire: wire.name,
    method,
    url,
    header: (name) => {
      const value = headers[name];
      return Array.isArray(value) ? value[0] : value;
    },
    model: () => {
      model ??= { name: wire.model(kept.bytes(), url) };
      return model.name;
    },
  };
}
