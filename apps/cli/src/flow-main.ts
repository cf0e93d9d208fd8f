// Flows are a bundle of their own: `croft mcp` and `croft guard` must not load what runs flows.
import { addComponentsCommand } from './commands/components.ts';
import { addFlowCommand } from './commands/flow.ts';
import { addRunCommand } from './commands/run.ts';
import { runProgram } from './run-program.ts';

runProgram([addRunCommand, addFlowCommand, addComponentsCommand]);
