import type { Command } from 'commander';
import { UsageError } from '../usage-error.ts';

/** `croft setup`: enters Croft into the configuration of the MCP clients on this machine. */
export function addSetupCommand(program: Command): void {
  program
    .command('setup')
    .summary('enter Croft into your MCP clients')
    .argument('[dir]', 'directory to serve', '.')
    .action(() => {
      throw new UsageError('croft setup is not there yet');
    });
}
