import { Command } from 'commander';

/** For tests: what a command says of itself, and its options with their choices and defaults. */
export function commandHelp(add: (program: Command) => void, name: string) {
  const program = new Command('croft');
  add(program);
  const command = program.commands.find((each) => each.name() === name);
  if (command === undefined) throw new Error(`there is no command ${name}`);
  return {
    usage: `${name} ${command.usage()}`,
    summary: command.summary(),
    description: command.description(),
    arguments: command.registeredArguments.map(
      ({ description, defaultValue }) => description + shownDefault(defaultValue),
    ),
    options: command.options.map(
      ({ flags, description, argChoices, defaultValue }) =>
        `${flags}: ${description}${argChoices ? ` (${argChoices.join(', ')})` : ''}${shownDefault(defaultValue)}`,
    ),
  };
}

const shownDefault = (value: unknown): string => (value === undefined ? '' : ` = ${JSON.stringify(value)}`);

/** For tests: the refusal of a command line, which commander writes to standard error. */
export async function refusalOf(add: (program: Command) => void, args: readonly string[]): Promise<string> {
  let said = '';
  const program = new Command('croft').configureOutput({ writeErr: (text) => void (said += text) });
  add(program);
  for (const command of program.commands) command.exitOverride();
  await program
    .exitOverride()
    .parseAsync(args, { from: 'user' })
    .then(
      () => {
        throw new Error('the command line was accepted');
      },
      () => undefined,
    );
  return said.trimEnd();
}
