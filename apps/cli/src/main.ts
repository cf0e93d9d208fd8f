import { ADD_COMMANDS } from './add-commands.ts';
import { runProgram } from './run-program.ts';

runProgram(ADD_COMMANDS);
