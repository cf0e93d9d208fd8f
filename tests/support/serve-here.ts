import type { Surroundings } from '@croft/mcp/testing';
import { expect, vi } from 'vitest';
import { captureOutput } from './capture-output.ts';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Runs a command that serves in this process, then `during`, and stops it as a signal does. Returns what it wrote. */
export async function serveHere(
  { base, home }: Surroundings,
  serve: () => Promise<unknown>,
  during: (out: string) => unknown = () => {},
): Promise<{ out: string; err: string }> {
  const output = captureOutput();
  vi.stubEnv('CROFT_BASE_DIR', base);
  vi.stubEnv('HOME', home);
  vi.stubEnv('NO_COLOR', '1');
  const exit = vi.spyOn(process, 'exit').mockImplementation((() => undefined) as never);
  const before = new Set(SIGNALS.flatMap((signal) => process.listeners(signal)));
  const added = (signal: (typeof SIGNALS)[number]) => process.listeners(signal).filter((each) => !before.has(each));
  try {
    await serve();
    await during(output.out);
    const [stop] = added('SIGTERM');
    stop?.('SIGTERM');
    await expect.poll(() => exit.mock.calls).toEqual([[0]]);
  } finally {
    for (const signal of SIGNALS) for (const listener of added(signal)) process.off(signal, listener);
    exit.mockRestore();
    vi.unstubAllEnvs();
  }
  return output;
}
