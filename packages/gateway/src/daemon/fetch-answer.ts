/** As much of a `Response` as a daemon looks at. Header names are in lower case. */
export interface Answer {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly body: AsyncIterable<Uint8Array> | null;
}

/** As much of `fetch` as a daemon needs. Follows no redirect. */
export type Fetch = (
  url: string,
  init: {
    readonly method?: 'GET' | 'POST';
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string;
    readonly signal: AbortSignal;
  },
) => Promise<Answer>;
