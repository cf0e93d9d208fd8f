import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { palette } from '../render/colours.ts';
import { printableJson } from '../render/printable.ts';

/** Adds `croft doctor`, which reports the protections of this machine. Exit code 1 if something is broken. */
export function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .summary('show the protections of this machine')
    .description(
      'Shows the protections of this machine, whether the server runs and answers, the configuration with its sources, and problems with their solutions. Changes nothing.',
    )
    .argument('[dir]', 'also examine this directory')
    .option('--user <id>', 'show where the files of this user are, and try to open them')
    .option('--json', 'print the report as JSON')
    .addOption(new Option('--second-wall-trial <dir>', 'restrict this process to the directory and test it').hideHelp())
    .action(async (dir: string | undefined, flags: { json?: boolean; user?: string; secondWallTrial?: string }) => {
      // Loaded here, because every start of `croft mcp` reads this file.
      if (flags.secondWallTrial !== undefined) {
        const { tryWallHere } = await import('../doctor/second-wall-trial.ts');
        return tryWallHere(flags.secondWallTrial);
      }
      const { examine } = await import('../doctor/examine.ts');
      const { renderDoctorReport } = await import('../render/doctor-report.ts');
      const restart = { node: process.execPath, args: [...process.execArgv, resolve(process.argv[1] ?? '')] };
      const report = await examine(dir, restart, process.env, flags.user);
      process.stdout.write(
        flags.json ? `${printableJson(report, 2)}\n` : renderDoctorReport(report, palette(process.stdout)),
      );
      if (!report.ok) process.exitCode = 1;
      return undefined;
    });
}
