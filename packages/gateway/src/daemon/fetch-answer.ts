/** The part of a `Response` that a daemon uses. Header names are in lower case. */
export interface Answer {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly body: AsyncIterable<Uint8Array> | null;
}

/** The part of `fetch` that a daemon needs. Does not follow redirects. */
export type Fetch = (
  url: string,
  init: {
    readonly method?: 'GET' | 'POST';
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string;
    readonly signal: AbortSignal;
  },
) => Promise<Answer>;
