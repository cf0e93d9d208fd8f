import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { askPerson } from '../render/ask-person.ts';
import { palette } from '../render/colours.ts';
import { CLIENT_IDS } from '../setup/clients.ts';
import { HOOK_CLIENT_IDS, type HookClientId } from '../setup/hook-clients.ts';
import type { SetupSurroundings } from '../setup/run-setup.ts';
import { UsageError } from '../usage-error.ts';
import { version } from '../version.ts';
import { collectValues } from './collect-values.ts';
import { addDirFlag, addServingFlags, type ServingFlags } from './serving-flags.ts';

interface SetupFlags extends ServingFlags {
  readonly client: readonly string[];
  readonly dir: readonly string[];
  readonly project?: boolean;
  readonly remove?: boolean;
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
  readonly name: string;
}

/** Adds `croft setup`, which adds Croft to the configuration of MCP clients on this machine. */
export function addSetupCommand(program: Command): void {
  const setup = program.command('setup');
  addSetupGuard(setup);
  const command = addServingFlags(
    setup
      .summary('add Croft to your MCP clients')
      .description(
        'Adds Croft to the configuration of your MCP clients (Claude, Cursor, VS Code, Codex, Gemini CLI, Windsurf, Zed, opencode, Cline, Continue, Goose, LM Studio, JetBrains), if they are installed: shows each change, asks, keeps a backup, and tries the connection. Clients start a copy of the program in ~/.croft/programs. The written command gets the flags of croft mcp.',
      )
      .argument('[dir...]', 'directories to serve (default: the current one)')
      .option(
        '--client <id>',
        `only this client, installed or not: ${CLIENT_IDS.join(', ')} (repeatable)`,
        collectValues,
        [],
      )
      .option('--project', 'write the configuration of the project in the current directory (Claude Code: .mcp.json)')
      .option('--remove', 'remove the entry')
      .option('--yes', 'do not ask')
      .option('--dry-run', 'show what would change, and write nothing')
      .option('--json', 'print the outcome as JSON')
      .option('--name <name>', 'name of the server in the configurations', 'croft'),
  );
  addDirFlag(command).action(async (dirs: string[], flags: SetupFlags, command: Command) => {
    // Loaded here, because every start of `croft mcp` reads this file.
    const { runSetup } = await import('../setup/run-setup.ts');
    const request = {
      dirs,
      wideDirs: flags.dir,
      servingFlags: servingFlagsAsWritten(command),
      forUser: flags.user !== undefined,
      clients: knownClients(flags.client, CLIENT_IDS),
      project: flags.project ?? false,
      remove: flags.remove ?? false,
      yes: flags.yes ?? false,
      dryRun: flags.dryRun ?? false,
      json: flags.json ?? false,
      name: flags.name,
    };
    if (!(await runSetup(request, surroundings()))) process.exitCode = 1;
  });
}

/** Adds `croft setup guard`, which adds the guard's hook to the configuration of agents. */
function addSetupGuard(setup: Command): void {
  setup
    .command('guard')
    .summary("add the guard's hook to your agents")
    .description(
      'Adds croft guard hook to the configuration of Claude Code, Codex, Gemini CLI, Qwen Code, Cursor and opencode, if they are installed, so that the guard judges every tool call before it runs: shows the change, asks, keeps a backup, and checks the hook. Runs each command-line agent once with a model on this machine that requests a write outside of the project; the hook must refuse it.',
    )
    .option(
      '--client <id>',
      `only this agent, installed or not: ${HOOK_CLIENT_IDS.join(', ')} (repeatable)`,
      collectValues,
      [],
    )
    .option('--project', 'write the configuration of the project in the current directory instead of your own')
    .option('--remove', 'remove the hook')
    .option('--no-run', 'check only the hook; do not run the agents')
    .option('--yes', 'do not ask')
    .option('--print', 'show what would change, and write nothing')
    .option('--dry-run', 'the same as --print')
    .option('--json', 'print the outcome as JSON')
    .action(async (_: unknown, command: Command) => {
      // commander also accepts the options of `croft setup` here; refuse those that do not apply.
      const flags = command.optsWithGlobals<SetupFlags & { readonly print?: boolean; readonly run: boolean }>();
      const strange = setup.options.find(
        (option) =>
          setup.getOptionValueSource(option.attributeName()) === 'cli' &&
          !command.options.some(({ long }) => long === option.long),
      );
      if (strange) throw new UsageError(`croft setup guard takes no ${strange.long}`);
      const { runSetupGuard } = await import('../setup/run-setup-guard.ts');
      const request = {
        clients: knownClients<HookClientId>(flags.client, HOOK_CLIENT_IDS),
        run: flags.run,
        project: flags.project ?? false,
        remove: flags.remove ?? false,
        yes: flags.yes ?? false,
        dryRun: (flags.dryRun ?? false) || (flags.print ?? false),
        json: flags.json ?? false,
      };
      if (!(await runSetupGuard(request, surroundings()))) process.exitCode = 1;
    });
}

function surroundings(): SetupSurroundings {
  const { env, platform, execPath } = process;
  const home = (platform === 'win32' ? undefined : env.HOME) || homedir();
  return {
    machine: { platform, home, env, cwd: process.cwd() },
    program: { node: execPath, script: join(dirname(fileURLToPath(import.meta.url)), 'croft.cjs'), version, platform },
    isTerminal: process.stdin.isTTY === true && process.stdout.isTTY === true,
    paint: palette(process.stdout),
    now: new Date(),
    write: (text) => process.stdout.write(text),
    ask: askPerson,
  };
}

/** The serving flags of a command line, as arguments for another command. */
export function servingFlagsAsWritten(command: Command): string[] {
  const values = command.opts<Record<string, unknown>>();
  return addServingFlags(new Command()).options.flatMap((option) => {
    const attribute = option.attributeName();
    const flag = option.long as string;
    const value = values[attribute];
    if (command.getOptionValueSource(attribute) !== 'cli') return [];
    if (typeof value === 'boolean') return [flag];
    return (Array.isArray(value) ? value : [value]).flatMap((one) => [flag, String(one)]);
  });
}

/** @throws UsageError for an unknown name */
function knownClients<Id extends string>(names: readonly string[], known: readonly Id[]): readonly Id[] {
  return names.map((name) => {
    const id = known.find((one) => one === name);
    if (id === undefined) throw new UsageError(`Not a client: ${name}. Croft knows ${known.join(', ')}`);
    return id;
  });
}
