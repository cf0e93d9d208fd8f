import { vi } from 'vitest';

/** As long as `expect.poll` waits, by vitest.config.ts. */
const TIMEOUT_MS = 50_000;

const { waitFor } = vi;

const patientWaitFor: typeof waitFor = (callback, options = {}) =>
  waitFor(callback, typeof options === 'number' ? options : { timeout: TIMEOUT_MS, ...options });

// Vitest gives up after one second by default, which a busy machine needs for a timer and two turns of a page. Test files that
// share a process run this once each.
if (waitFor.name !== patientWaitFor.name) vi.waitFor = patientWaitFor;
