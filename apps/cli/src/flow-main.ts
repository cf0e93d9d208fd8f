// Flows have a bundle of their own, so that `croft mcp` and `croft guard` do not load the flow engine.
import { addChatCommand } from './commands/chat.ts';
import { addComponentsCommand } from './commands/components.ts';
import { addFlowCommand } from './commands/flow.ts';
import { addRunCommand } from './commands/run.ts';
import { runProgram } from './run-program.ts';

runProgram([addRunCommand, addChatCommand, addFlowCommand, addComponentsCommand]);
