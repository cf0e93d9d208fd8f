/** Who is asking. Made by `identify` and nowhere else; what a request may touch follows from it alone. */
export interface Caller {
  readonly userId: string;
  readonly role: 'admin' | 'user';
  /** `session`: signed in by password; `local`: the one user of auto-login, in a browser; `key`: an API key. */
  readonly via: 'session' | 'key' | 'local';
}
