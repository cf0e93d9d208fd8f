/**
 * Stops a program at Ctrl+C or SIGTERM. A second one does not wait for the stop.
 *
 * @returns whether it is stopping
 */
export function stopOnSignals(stop: () => Promise<void>): () => boolean {
  let isStopping = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      if (isStopping) process.exit(1);
      isStopping = true;
      void stop();
    });
  return () => isStopping;
}
