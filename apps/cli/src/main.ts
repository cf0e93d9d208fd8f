import { addConnectCommand } from './commands/connect.ts';
import { addDoctorCommand } from './commands/doctor.ts';
import { addGuardCommand } from './commands/guard.ts';
import { addLogCommand } from './commands/log.ts';
import { addMcpCommand } from './commands/mcp.ts';
import { addServeCommand } from './commands/serve.ts';
import { addSetupCommand } from './commands/setup.ts';
import { addUndoCommand } from './commands/undo.ts';
import { runProgram } from './run-program.ts';

runProgram([
  addMcpCommand,
  addServeCommand,
  addConnectCommand,
  addGuardCommand,
  addSetupCommand,
  addLogCommand,
  addUndoCommand,
  addDoctorCommand,
]);
