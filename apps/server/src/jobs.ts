import type { Log } from './log.ts';

/** Work in the background, or a resource that must be released: a worker, a sweep, a trigger, a listener. */
export interface Job {
  /** For the log. */
  readonly name: string;
  /** Absent for a job that runs from its creation. */
  readonly start?: () => void;
  readonly stop: () => void | Promise<void>;
  /** How long `stop` may take; 10 seconds by default. */
  readonly stopMs?: number;
}

const STOP_MS = 10_000;

/**
 * Starts jobs in their order. If one throws, stops those before it and throws.
 *
 * @returns `stop` stops them in reverse order, one after the other. It logs a job that fails or takes too long, and goes
 *   on with the next. It never rejects, and may be called again
 */
export function startJobs(jobs: readonly Job[], log: Pick<Log, 'error'>): { stop(): Promise<void> } {
  const started: Job[] = [];
  let stopping: Promise<void> | undefined;
  const stop = () => {
    stopping ??= (async () => {
      for (const job of started.reverse()) await stopOne(job, log);
    })();
    return stopping;
  };
  for (const job of jobs) {
    try {
      job.start?.();
    } catch (error) {
      void stop();
      throw error;
    }
    started.push(job);
  }
  return { stop };
}

async function stopOne({ name, stop, stopMs = STOP_MS }: Job, log: Pick<Log, 'error'>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`did not stop within ${stopMs} ms`)), stopMs);
  });
  try {
    await Promise.race([(async () => stop())(), late]);
  } catch (error) {
    log.error({ job: name, err: error }, 'a job could not be stopped');
  } finally {
    clearTimeout(timer);
  }
}
