/** The caller of a request. Only `identify` makes one; it alone decides which data a request may reach. */
export interface Caller {
  readonly userId: string;
  readonly role: 'admin' | 'user';
  /** `session`: signed in by password; `local`: the one user of auto-login, in a browser; `key`: an API key. */
  readonly via: 'session' | 'key' | 'local';
  /** The name of the API key. */
  readonly key?: string | undefined;
  /** With an API key: undefined once the key is revoked. Work that goes on after its response ends with the key. */
  readonly findAgain?: (() => Promise<unknown>) | undefined;
}
