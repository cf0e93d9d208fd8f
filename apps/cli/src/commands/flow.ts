import type { Command } from 'commander';

const COMPONENTS_DIR = ['--dir <dir>', 'the directory with components of your own (default: the current one)'] as const;

interface InDir {
  readonly dir?: string;
}
import type { NewFlowFlags } from './flow-templates.ts';

/** Adds `croft flow`, which creates a flow from a template, and checks, imports, prints and draws one. Does not run it. */
export function addFlowCommand(program: Command): void {
  const flow = program
    .command('flow')
    .summary('create, check, import, print or draw a flow')
    .description('Creates a flow from a template, and checks, imports, prints or draws one from a file. Runs nothing.');
  flow
    .command('templates')
    .summary('list the templates')
    .description('Lists the flows to start from. Those that need no network run with croft/offline or plain data.')
    .option('--json', 'print the templates as JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const { listTemplates } = await import('./flow-templates.ts');
      listTemplates(json === true);
    });
  flow
    .command('new <template>')
    .summary('create a flow from a template')
    .description(
      'Writes a template as a new flow, as text or, where the name of the file ends with .json, as a document.',
    )
    .option('--out <file>', 'write the flow to a new file instead of standard output')
    .option('--with-files', 'also write the files that the template reads, beside the new file')
    .action(async (template: string, flags: NewFlowFlags) => {
      const { newFlow } = await import('./flow-templates.ts');
      newFlow(template, flags);
    });
  flow
    .command('check <flow>')
    .summary('list what is wrong with a flow')
    .description(
      'Lists what is wrong with a flow, each finding with component, field and a fix. Ends with code 1 if the flow cannot run, and 2 if it cannot be read.',
    )
    .option(...COMPONENTS_DIR)
    .option('--json', 'print the findings as JSON')
    .action(async (file: string, { dir, json }: InDir & { json?: boolean }) => {
      const { checkFlowFile } = await import('./flow-file.ts');
      await checkFlowFile(file, dir ?? process.cwd(), json === true);
    });
  flow
    .command('import <export>')
    .summary('convert an export of Langflow')
    .description(
      'Converts a JSON export of Langflow 1.x and lists everything that has no counterpart. Python code and secrets are left out. `croft run` reads exports too.',
    )
    .option('--out <file>', 'write the flow to a new file instead of standard output')
    .option('--json', 'print the flow and the findings as JSON')
    .action(async (file: string, flags: { out?: string; json?: boolean }) => {
      const { importFlowFile } = await import('./flow-file.ts');
      importFlowFile(file, flags);
    });
  flow
    .command('spec <flow>')
    .summary('print a flow as text')
    .description(
      'Prints a flow as text: components, connections and values. `croft run` also reads that text. Positions, notes, fixed outputs and code are not part of it.',
    )
    .option(...COMPONENTS_DIR)
    .action(async (file: string, { dir }: InDir) => {
      const { printFlowFile } = await import('./flow-file.ts');
      await printFlowFile(file, dir ?? process.cwd());
    });
  flow
    .command('draw <flow>')
    .summary('draw a flow in the terminal')
    .description('Draws the components of a flow in columns, with their connections.')
    .option(...COMPONENTS_DIR)
    .action(async (file: string, { dir }: InDir) => {
      const { drawFlowFile } = await import('./flow-file.ts');
      await drawFlowFile(file, dir ?? process.cwd());
    });
}
