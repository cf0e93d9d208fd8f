import type { Command } from 'commander';
import type { ChatFlags } from './chat-flags.ts';
import { collectValues } from './collect-values.ts';

/** Adds `croft chat`, which builds, changes and runs a flow in conversation. */
export function addChatCommand(program: Command): void {
  program
    .command('chat')
    .summary('build, change and run a flow in conversation')
    .description(
      'Builds, changes and runs a flow by messages. The flow is a file, which the first change creates, or a flow of a server. Without the key of a model provider, croft/offline answers by rules. Asks before it removes something; Ctrl-C stops a reply, and ends the chat at the prompt; /help lists the commands there. Messages come from --message, else from standard input, one a line. Ends with code 0, 1 when the last message was not carried out or only in part, or the run of its flow failed, 2 for a wrong flag, 130 when it was stopped.',
    )
    .argument('[flow]', 'the file of the flow', 'flow.json')
    .option('--message <text>', 'send this message and end; may be repeated', collectValues, [])
    .option('--dir <dir>', 'the directory for files and runs (default: that of the flow)')
    .option(
      '--model <provider/name>',
      'the model (default: the first with a key in the environment, else croft/offline)',
    )
    .option('--yes', 'accept everything that is proposed, also changes that remove something')
    .option('--server <url>', 'talk about a flow of this server, with the key in CROFT_API_KEY')
    .option('--flow <id>', 'with --server: the flow (default: a new one)')
    .option('--allow-host <host>', 'a private host that runs may send requests to; may be repeated', collectValues, [])
    .option(
      '--credential <name=host>',
      'a variable that HTTP requests of runs may send to a host; may be repeated',
      collectValues,
      [],
    )
    .option(
      '--allow-command <command>',
      'a command that runs may start as an MCP server; may be repeated',
      collectValues,
      [],
    )
    .option('--json', 'print every event as one JSON object per line')
    .action(async (file: string, flags: ChatFlags) => {
      const { runChat } = await import('./chat-session.ts');
      await runChat(file, flags);
    });
}
