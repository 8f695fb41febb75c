/** The files that this process can reach itself, in a view those of the view. */
import { findFile, listFiles, OpenFile, openFile } from '../../sys/files/file-access.ts';
import type { FileAccess } from './file-access.ts';

/** Standard input is descriptor 0, and stays open. */
export const HOST_FILES: FileAccess = {
  find: findFile,
  list: listFiles,
  open: (paths) => Promise.resolve(paths.map((path) => () => openFile(path))),
  input: { size: undefined, read: (most) => INPUT.read(most), close: () => undefined },
};

const INPUT = new OpenFile(0);
