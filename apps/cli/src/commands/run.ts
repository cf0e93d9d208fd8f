import { type Command, InvalidArgumentError } from 'commander';
import type { RunFlags } from './run-flags.ts';
import { collectValues } from './collect-values.ts';

/** Adds `croft run`, which runs a flow without a server. */
export function addRunCommand(program: Command): void {
  program
    .command('run <flow>')
    .summary('run a flow from a file')
    .description(
      'Runs a flow and prints its result. The flow is a JSON document, or text as `croft flow spec` prints it. The flow reads and writes files only in --dir. Ends with code 0 when the flow completed, 1 when it failed or timed out, 2 when the flow or a flag is wrong, 130 when it was cancelled with Ctrl-C.',
    )
    .option(
      '--input <value>',
      'the message for the chat input; NODE.FIELD=VALUE sets any field, and may be repeated',
      collectValues,
      [],
    )
    .option('--dir <dir>', 'the directory that the flow works in (default: the current one)')
    .option('--until <node>', 'run the nodes before this node and the node itself, and nothing after it')
    .option(
      '--model <provider/name>',
      'the model of all components (default: the one that a component names, else the first with a key in the environment, else croft/offline)',
    )
    .option(
      '--allow-host <host>',
      'a private host that the flow may send requests to, as HOST:PORT or 10.0.0.0/8; may be repeated',
      collectValues,
      [],
    )
    .option(
      '--credential <name=host>',
      'a variable of the environment that HTTP requests may send to this host; may be repeated',
      collectValues,
      [],
    )
    .option(
      '--allow-command <command>',
      'a command that the flow may start as an MCP server, with the same arguments; may be repeated',
      collectValues,
      [],
    )
    .option('--no-second-wall', 'do not restrict the process with Landlock')
    .option('--require-sandbox', 'refuse to run without a race-free path resolver and Landlock with a passed self-test')
    .option('--timeout <seconds>', 'stop after this time', parseSeconds, 120)
    .option('--json', 'print every event as one JSON object per line')
    .action(async (flow: string, flags: RunFlags) => {
      const { runFlowFile } = await import('./run-flow-file.ts');
      await runFlowFile(flow, flags);
    });
}

/** A timer takes at most 2,147,483 s and fires at once after that. */
const MAX_SECONDS = 2_147_483;

function parseSeconds(text: string): number {
  const seconds = /^\d+$/.test(text) ? Number(text) : 0;
  if (seconds < 1 || seconds > MAX_SECONDS)
    throw new InvalidArgumentError(`Give a whole number from 1 to ${MAX_SECONDS}.`);
  return seconds;
}
