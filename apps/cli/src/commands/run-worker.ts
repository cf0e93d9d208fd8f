import { UsageError } from '../usage-error.ts';
import { loadConfig } from '../compose/config.ts';
import { version } from '../version.ts';
import { stopOnSignals } from './stop-on-signals.ts';
import { loadServer, refuseUnknownVariables } from './run-serve.ts';

/** Runs a worker until SIGINT or SIGTERM. */
export async function runWorker(): Promise<void> {
  refuseUnknownVariables();
  const { values: settings } = await loadConfig({});
  const server = await loadServer();
  const refuse = (error: unknown): never => {
    if (error instanceof server.ConfigError) throw new UsageError(error.message);
    throw error;
  };
  let worker: ReturnType<typeof server.startWorker>;
  try {
    worker = server.startWorker({ settings, log: server.createLog(settings.logLevel) });
  } catch (error) {
    return refuse(error);
  }
  const stop = (code: number): Promise<void> => worker.close().finally(() => process.exit(code));
  const isStopping = stopOnSignals(() => stop(0));
  try {
    await worker.ready;
  } catch (error) {
    if (isStopping()) return;
    process.stderr.write(`croft: ${(error as Error).message}\n`);
    await stop(2);
    return;
  }
  process.stdout.write(`Croft ${version} worker: takes queued runs. Stop with Ctrl+C.\n`);
}
