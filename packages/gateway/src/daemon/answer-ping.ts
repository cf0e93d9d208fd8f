import { isPassing } from './admission.ts';
import { pause } from './backoff.ts';
import type { GatewayClient } from './gateway-client.ts';
import type { LinkTiming } from './link-timing.ts';

const TRIES = 3;

/**
 * Answers a server's ping that wants an answer. Never rejects. Without the answer the server cuts the stream, and a new
 * one is opened.
 */
export async function answerPing(client: GatewayClient, timing: LinkTiming, signal: AbortSignal): Promise<void> {
  for (let attempt = 0; attempt < TRIES && !signal.aborted; attempt++) {
    try {
      if (!isPassing((await client.alive(signal, timing.wordMs)).status)) return;
    } catch {
      // Retried below.
    }
    await pause(timing.redeliver.minMs, signal);
  }
}
