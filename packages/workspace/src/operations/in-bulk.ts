import type { Enclosure } from '../enclosure.ts';
import { createPace, type Pace } from '../pace.ts';

/**
 * Runs an operation that waits between its acts. The roots stay open until it ends; the caller's signal and the closing
 * of the workspace cancel it at its next pause.
 */
export async function inBulk<T>(
  enclosure: Enclosure,
  signal: AbortSignal | undefined,
  act: (pace: Pace) => Promise<T>,
): Promise<T> {
  const releases = [enclosure.root.hold(), enclosure.ambient?.hold()];
  try {
    return await act(createPace([signal, enclosure.closing]));
  } finally {
    for (const release of releases) release?.();
  }
}
