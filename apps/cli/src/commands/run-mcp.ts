import { createServerFactory, createShortcut, serveStdio } from '@croft/mcp';
import { croftBaseDir, type SecondWallStatus } from '@croft/workspace';
import { instructionsFor } from '../compose/instructions.ts';
import { requireProtection, warnOfMissingProtection } from '../compose/protection.ts';
import { programDirs, raiseSecondWall } from '../compose/second-wall.ts';
import { openServing, type Serving } from '../compose/serving.ts';
import { version } from '../version.ts';
import { type ServingFlags, toServingOptions } from './serving-flags.ts';

/** Serves directories over standard input and output. */
export async function runMcp(dirs: readonly string[], flags: ServingFlags): Promise<void> {
  // Keep everything up to `raise` synchronous: Landlock must be active before the thread pool is first used.
  const serving = openServing(toServingOptions(flags, dirs));
  const verified = raise(serving, flags);
  if (flags.requireSandbox) requireProtection(serving.resolver, await verified);
  else void verified.then((status) => warnOfMissingProtection(serving.resolver, status));
  const identity = {
    name: 'croft',
    title: 'Croft',
    version,
    instructions: instructionsFor(serving, flags.readOnly ?? false),
  };
  const shortcut = createShortcut(serving.table);
  serveStdio(
    createServerFactory(identity, () => serving.table, shortcut),
    { onError: (error) => process.stderr.write(`croft: ${error.message}\n`), shortcut },
  );
}

function raise(serving: Serving, flags: ServingFlags): Promise<SecondWallStatus> {
  if (!flags.secondWall) return Promise.resolve({ active: false, reason: 'switched off' });
  return raiseSecondWall({
    write: [...serving.roots, ...serving.stateDirs, `${croftBaseDir()}/cache`],
    read: [...programDirs(), ...serving.readFiles],
  }).verified;
}
