import { WorkspaceError } from '@croft/workspace';
import { Command, CommanderError, Help, type Option } from 'commander';
import { warnOfUnknownVariables } from './compose/unknown-variables.ts';
import { endWithNpx } from './end-with-npx.ts';
import { outliveReaders } from './outlive-readers.ts';
import { didYouMean } from './render/did-you-mean.ts';
import { printable } from './render/printable.ts';
import { UsageError } from './usage-error.ts';
import { version } from './version.ts';

/** Exit code: the command failed. */
const EXIT_FAILED = 1;
/** Exit code: the command line or the configuration is wrong. */
const EXIT_USAGE = 2;

type AddCommand = (program: Command) => void;

/** The launcher's module of the bundle; absent without the launcher. */
declare const module: { commandRuns?: boolean } | undefined;

/** Builds the program from these commands and runs the one on the command line. */
export function runProgram(addCommands: readonly AddCommand[]): void {
  endWithNpx();
  outliveReaders();
  void runCommandLine(addCommands, process.argv.slice(2));
}

/** Runs the command of these arguments. Reports a failure on standard error and by the exit code of the process. */
export async function runCommandLine(addCommands: readonly AddCommand[], args: readonly string[]): Promise<void> {
  warnOfUnknownVariables(process.env, args, (text) => process.stderr.write(printable(text)));
  const program = new Command('croft')
    .description('Gives AI agents a directory to work in and confines them to it.')
    .version(version)
    .exitOverride()
    .configureHelp({ optionDescription: describeOption })
    .configureOutput({ writeErr: (text) => process.stderr.write(text) })
    .showHelpAfterError('Run croft --help, or croft <command> --help.');

  program.hook('preAction', (_, command) => {
    refuseEmptyValues(command);
    // The launcher keeps a code cache for this command, and none for names that no command has.
    if (typeof module === 'object') module.commandRuns = true;
  });
  for (const add of addCommands) add(program);
  addHelp(program);
  for (const command of program.commands)
    command.exitOverride().showHelpAfterError('Run it with --help to see its arguments and options.');

  const parse = async (): Promise<unknown> => {
    refuseHelpForUnknown(program, args);
    return program.parseAsync(args, { from: 'user' });
  };
  await parse().catch((error: unknown) => {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode === 0 ? 0 : EXIT_USAGE;
    } else if (error instanceof UsageError) {
      process.stderr.write(`croft: ${printable(error.message)}\n`);
      process.exitCode = EXIT_USAGE;
    } else if (error instanceof WorkspaceError) {
      process.stderr.write(`croft: ${printable(error.operatorMessage)}\n`);
      process.exitCode = error.code === 'invalid' ? EXIT_USAGE : EXIT_FAILED;
    } else {
      const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
      process.stderr.write(`croft: ${printable(detail)}\n`);
      process.exitCode = EXIT_FAILED;
    }
  });
}

/** Gives a command, and those below it, a `help` that refuses a command that there is not. The one of commander shows the list of all. */
function addHelp(command: Command): void {
  if (command.commands.length === 0) return;
  for (const each of command.commands) addHelp(each);
  command
    .helpCommand(false)
    .command('help [command...]')
    .description('display help for command')
    .action((names: readonly string[]) => {
      let at: Command = command;
      for (const name of names) {
        const next = findCommand(at, name);
        if (next === undefined) return refuseUnknown(at, name);
        at = next;
      }
      at.help();
    });
}

function refuseUnknown(command: Command, name: string): never {
  const known = command.createHelp().visibleCommands(command);
  const hint = didYouMean(
    name,
    known.map((each) => each.name()),
  );
  return command.error(`error: unknown command '${printable(name)}'${hint}`, { code: 'commander.unknownCommand' });
}

/** Refuses `--help` after an unknown command. Commander shows the help of the command above it. */
function refuseHelpForUnknown(program: Command, args: readonly string[]): void {
  if (!args.includes('--help') && !args.includes('-h')) return;
  let at = program;
  for (const name of args) {
    if (name.startsWith('-') || at.commands.length === 0 || at.registeredArguments.length > 0) return;
    at = findCommand(at, name) ?? refuseUnknown(at, name);
  }
}

function findCommand(command: Command, name: string): Command | undefined {
  return command.commands.find((each) => each.name() === name || each.aliases().includes(name));
}

/**
 * Refuses empty values, which variables without a value leave behind: `--dir "$PROJECT"` would mean the current directory. The command
 * that another program is started with may have some.
 */
function refuseEmptyValues(command: Command): void {
  const refuse = (what: string) =>
    command.error(`error: ${what} is empty: give a value, or leave it out`, { code: 'commander.invalidArgument' });
  for (const option of command.options) {
    const name = option.attributeName();
    if (command.getOptionValueSource(name) === 'cli' && [command.getOptionValue(name) as unknown].flat().includes(''))
      refuse(option.flags);
  }
  for (const [index, argument] of command.registeredArguments.entries())
    if (argument.name() !== 'command' && [command.processedArgs[index] as unknown].flat().includes(''))
      refuse(`<${argument.name()}>`);
}

/** The description of an option, without the default `[]` of a repeatable one. */
function describeOption(this: Help, option: Option): string {
  if (!Array.isArray(option.defaultValue) || option.defaultValue.length > 0)
    return Help.prototype.optionDescription.call(this, option);
  return option.description;
}
