import { readServedAddress } from '../compose/served-address.ts';
import type { Examined, Finding, ServerReport } from './report.ts';

const PATIENCE_MS = 3_000;

/** Finds the server of a base directory, and asks it whether it works. */
export async function examineServer(baseDir: string): Promise<Examined<ServerReport | undefined>> {
  const { address, pid } = readServedAddress(baseDir) ?? {};
  const problems: Finding[] = [];
  if (address === undefined || (pid !== undefined && !runs(pid))) return { report: undefined, problems, notes: [] };
  const version = await versionAt(address);
  const report = { address, pid: pid ?? null, answers: version !== undefined, version: version ?? null };
  if (version === undefined)
    problems.push({
      what: `The server of ${baseDir}${pid === undefined ? '' : ` (process ${pid})`} does not answer at ${address}`,
      advice: 'Look at its log, then stop it and start it again',
    });
  return { report, problems, notes: [] };
}

/** Whether a process runs, also one of another user. */
function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** The version of the Croft server at an address; undefined where none answers. */
async function versionAt(address: string): Promise<string | undefined> {
  try {
    const answer = await fetch(`${address}/healthz`, { signal: AbortSignal.timeout(PATIENCE_MS) });
    const { status, version } = (await answer.json()) as Record<string, unknown>;
    return status === 'ok' && typeof version === 'string' ? version : undefined;
  } catch {
    return undefined;
  }
}
