// The guard is a bundle of its own: a hook runs before every tool call of an agent, and must not load what serves MCP.
import { addGuardCommand } from './commands/guard.ts';
import { runProgram } from './run-program.ts';

runProgram([addGuardCommand]);
