import { addBackupCommand } from './commands/backup.ts';
import { addChatCommand } from './commands/chat.ts';
import { addComponentsCommand } from './commands/components.ts';
import { addConnectCommand } from './commands/connect.ts';
import { addDoctorCommand } from './commands/doctor.ts';
import { addFlowCommand } from './commands/flow.ts';
import { addGuardCommand } from './commands/guard.ts';
import { addLogCommand } from './commands/log.ts';
import { addMcpCommand } from './commands/mcp.ts';
import { addRunCommand } from './commands/run.ts';
import { addServeCommand } from './commands/serve.ts';
import { addSetupCommand } from './commands/setup.ts';
import { addUndoCommand } from './commands/undo.ts';

/** Every command of the program, in the order of its help. */
export const ADD_COMMANDS = [
  addMcpCommand,
  addServeCommand,
  addConnectCommand,
  addGuardCommand,
  addRunCommand,
  addChatCommand,
  addFlowCommand,
  addComponentsCommand,
  addSetupCommand,
  addLogCommand,
  addUndoCommand,
  addBackupCommand,
  addDoctorCommand,
];
