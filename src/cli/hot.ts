/** `yolofs run` and `yolofs hook` alone; bundled as bin/hot.cjs. */
import { HOOK, RUN } from './hot-commands.ts';
import { runProgram } from './run-program.ts';

void runProgram([RUN, HOOK]);
