/** Entry of `npm run man`: writes the manual pages into a directory, for the package. */
import { ensureDirectory, writeText } from '../../sys/files/files.ts';
import { COMMANDS } from '../command-table.ts';
import { ownVersion } from '../program.ts';
import { declared } from './declared.ts';
import { manPages } from './man.ts';

const [directory = 'dist/man'] = process.argv.slice(2);
ensureDirectory(directory, 0o755);
for (const { file, text } of manPages(await declared(COMMANDS), ownVersion())) writeText(`${directory}/${file}`, text);
