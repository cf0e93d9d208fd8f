import { UsageError } from '../usage-error.ts';

/** Values that flags gave. */
export interface ConfigFlags {
  readonly host?: string;
  readonly port?: number;
}

/** Host and port, flags over environment over defaults. `croft serve` uses `values`. */
export function loadConfig(flags: ConfigFlags = {}, env: NodeJS.ProcessEnv = process.env): { readonly values: { readonly host: string; readonly port: number } } {
  const port = flags.port ?? Number(env.CROFT_PORT ?? 7860);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new UsageError(`Not a port: ${env.CROFT_PORT}`);
  return { values: { host: flags.host ?? env.CROFT_HOST ?? '127.0.0.1', port } };
}
