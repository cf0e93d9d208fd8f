// The guard has a bundle of its own: an agent starts the hook before every tool call, so it must not load the MCP server.
import { addGuardCommand } from './commands/guard.ts';
import { runProgram } from './run-program.ts';

runProgram([addGuardCommand]);
