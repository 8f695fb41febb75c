/** Writes the holder's program to the file that `npm run build` names: a part of the package, see installed-copy.ts. */
import { writeText } from '../../sys/files/files.ts';
import { HOLDER_PROGRAM } from './holder-perl.ts';

writeText(process.argv[2] ?? '', HOLDER_PROGRAM);
