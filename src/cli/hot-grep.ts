/** `yolofs grep` alone; bundled as bin/grep.cjs. */
import { GREP } from './hot-commands.ts';
import { runProgram } from './run-program.ts';

void runProgram([GREP]);
