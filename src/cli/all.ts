/** The program with all of its commands. */
import { COMMANDS } from './command-table.ts';
import { runProgram } from './run-program.ts';

void runProgram(COMMANDS);
