/** Why a request failed. */
export type NetworkErrorCode =
  | 'bad_address'
  | 'invalid_request'
  | 'refused_address'
  | 'redirects'
  | 'timed_out'
  | 'too_large'
  | 'unreachable';

/** A request that was refused or failed, with advice for the author of the flow. */
export class NetworkError extends Error {
  readonly code: NetworkErrorCode;
  readonly fix: string;

  constructor(code: NetworkErrorCode, message: string, fix: string) {
    super(message);
    this.name = 'NetworkError';
    this.code = code;
    this.fix = fix;
  }
}

/** The refusal of a private address. Does not tell what the name resolved to, so that it cannot be used to map a network. */
export const refusedAddress = (host: string): NetworkError =>
  new NetworkError(
    'refused_address',
    `Requests to '${host.slice(0, 200)}' are refused: the address is private or local.`,
    'Use a public address, or ask the administrator to allow this host (CROFT_FLOW_HOSTS of a server, croft run --allow-host HOST:PORT).',
  );
