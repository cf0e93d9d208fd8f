import { NetworkError } from '@croft/components';

/** The bytes that all responses together may still have. */
export interface ByteBudget {
  left: number;
  /** Sentences for responses above it. */
  readonly exceeded: string;
  readonly fix: string;
}

/** A fetch whose responses end with an error after so many bytes, counted after decompression. */
export function boundedFetch(
  fetch: typeof globalThis.fetch,
  maxBytes: number,
  budget: ByteBudget,
): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (response.body === null) return response;
    let bytes = 0;
    const counted = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.byteLength;
        budget.left -= chunk.byteLength;
        if (bytes > maxBytes)
          throw new NetworkError('too_large', `The response has more than ${maxBytes} bytes.`, 'Ask for less.');
        if (budget.left < 0) throw new NetworkError('too_large', budget.exceeded, budget.fix);
        controller.enqueue(chunk);
      },
    });
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(counted), { status, statusText, headers });
  };
}
