import { bestResolver } from '@croft/workspace';
import type { Command } from 'commander';
import { version } from '../version.ts';

/** `croft doctor`: what holds on this machine, and what does not. */
export function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .summary('show what holds on this machine')
    .action(() => {
      process.stdout.write(`croft ${version}, Node ${process.versions.node}, resolver ${bestResolver()}\n`);
    });
}
