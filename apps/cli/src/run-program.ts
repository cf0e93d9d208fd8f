import { WorkspaceError } from '@croft/workspace';
import { Command, CommanderError, Help, type Option } from 'commander';
import { warnOfUnknownVariables } from './compose/unknown-variables.ts';
import { endWithNpx } from './end-with-npx.ts';
import { outliveReaders } from './outlive-readers.ts';
import { printable } from './render/printable.ts';
import { UsageError } from './usage-error.ts';
import { version } from './version.ts';

/** Exit code: the command failed. */
const EXIT_FAILED = 1;
/** Exit code: the command line or the configuration is wrong. */
const EXIT_USAGE = 2;

/** Builds the program from these commands and runs the one on the command line. */
export function runProgram(addCommands: readonly ((program: Command) => void)[]): void {
  endWithNpx();
  outliveReaders();
  warnOfUnknownVariables(process.env, process.argv.slice(2), (text) => process.stderr.write(printable(text)));
  const program = new Command('croft')
    .description('Gives AI agents a directory to work in and confines them to it.')
    .version(version)
    .exitOverride()
    .configureHelp({ optionDescription: describeOption })
    .configureOutput({ writeErr: (text) => process.stderr.write(text) })
    .showHelpAfterError('Run croft --help, or croft <command> --help.');

  for (const add of addCommands) add(program);
  for (const command of program.commands)
    command.exitOverride().showHelpAfterError('Run it with --help to see its arguments and options.');

  program.parseAsync().catch((error: unknown) => {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode === 0 ? 0 : EXIT_USAGE;
    } else if (error instanceof UsageError) {
      process.stderr.write(`croft: ${printable(error.message)}\n`);
      process.exitCode = EXIT_USAGE;
    } else if (error instanceof WorkspaceError) {
      process.stderr.write(`croft: ${printable(error.operatorMessage)}\n`);
      process.exitCode = error.code === 'invalid' ? EXIT_USAGE : EXIT_FAILED;
    } else {
      process.stderr.write(`croft: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
      process.exitCode = EXIT_FAILED;
    }
  });
}

/** The description of an option, without the default `[]` of a repeatable one. */
function describeOption(this: Help, option: Option): string {
  if (!Array.isArray(option.defaultValue) || option.defaultValue.length > 0)
    return Help.prototype.optionDescription.call(this, option);
  return option.description;
}
