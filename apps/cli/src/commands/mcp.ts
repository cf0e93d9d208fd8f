import { createServerFactory, serveStdio } from '@croft/mcp';
import { croftBaseDir } from '@croft/workspace';
import type { Command } from 'commander';
import { instructionsFor } from '../compose/instructions.ts';
import { programDirs, raiseSecondWall } from '../compose/second-wall.ts';
import { openServing } from '../compose/serving.ts';
import { UsageError } from '../usage-error.ts';
import { version } from '../version.ts';
import { addServingFlags, parseCount, type ServingFlags, toServingOptions } from './serving-flags.ts';

/** `croft mcp <dir>…`: the tools over standard input and output, for a client that starts its servers itself. */
export function addMcpCommand(program: Command): void {
  addServingFlags(
    program
      .command('mcp')
      .summary('serve directories to an MCP client over stdio')
      .description(
        'Serves one or more directories to an MCP client over standard input and output. Several directories each go by their own name as the first component of a path.',
      )
      .argument('[dir...]', 'directories to serve'),
  )
    .option('--http', 'serve over HTTP instead, as croft serve does')
    .option('--port <n>', 'port for --http, 0 for any (default 7860)', parseCount)
    .action(async (dirs: string[], flags: ServingFlags & { http?: boolean; port?: number }) => {
      if (!flags.http && flags.port !== undefined) throw new UsageError('--port is for --http');
      if (!flags.http) return runMcp(dirs, flags);
      const { runServe } = await import('./run-serve.ts');
      return runServe({ ...flags, dir: dirs, open: false, token: true });
    });
}

function runMcp(dirs: readonly string[], flags: ServingFlags): void {
  // All of this is synchronous: the second wall must stand before the thread pool is first used.
  const serving = openServing(toServingOptions(flags, dirs));
  if (flags.secondWall) {
    const { verified } = raiseSecondWall({
      write: [...serving.roots, ...serving.stateDirs, `${croftBaseDir()}/cache`],
      read: [...programDirs(), ...serving.readFiles],
    });
    void verified.then((status) => {
      if (!status.active && process.env.CROFT_VERBOSE)
        process.stderr.write(`croft: second wall off: ${status.reason}\n`);
    });
  }
  const identity = {
    name: 'croft',
    title: 'Croft',
    version,
    instructions: instructionsFor(serving, flags.readOnly ?? false),
  };
  serveStdio(
    createServerFactory(identity, () => serving.table),
    {
      onError: (error) => process.stderr.write(`croft: ${error.message}\n`),
      table: serving.table,
    },
  );
}
