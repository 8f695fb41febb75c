/** The commands that the launch server carries out, too, where it does not; bundled as bin/hot.cjs. */
import { LAUNCHED } from './hot-commands.ts';
import { runProgram } from './run-program.ts';

void runProgram(LAUNCHED);
