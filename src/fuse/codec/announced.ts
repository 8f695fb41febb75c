/**
 * A FileSystem as handlers of requests see it: what changes a node, or a name in a directory, takes only one of which the other
 * connections have been told (`Request.changed`, `Request.renamed`), so that no handler can forget to.
 */
import type { Name, NodeId } from '../../sys/bytes.ts';
import type { Errno } from '../../sys/errno.ts';
import type { Caller, CopyRequest, Entry, FileSystem, RenameRequest } from '../filesystem.ts';

/** A node that the other connections know to change. */
export type ChangedNode = NodeId & { readonly announced: true };
/** A name that they know to be made or removed. */
export type ChangedName = Name & { readonly announced: true };

type OfNode = 'setattr' | 'write' | 'fallocate';
type OfName = 'symlink' | 'mknod' | 'mkdir' | 'unlink' | 'rmdir';

/** The method with its first parameter announced. */
type WithNode<Method> = Method extends (node: NodeId, ...rest: infer Rest) => infer Result
  ? (node: ChangedNode, ...rest: Rest) => Result
  : never;

/** The method with its second parameter announced. */
type WithName<Method> = Method extends (parent: NodeId, name: Name, ...rest: infer Rest) => infer Result
  ? (parent: NodeId, name: ChangedName, ...rest: Rest) => Result
  : never;

type Reading = Omit<FileSystem, OfNode | OfName | 'link' | 'rename' | 'copyFileRange'>;
type Changing = { [Method in OfNode]: WithNode<FileSystem[Method]> } & {
  [Method in OfName]: WithName<FileSystem[Method]>;
};

export interface AnnouncedFileSystem extends Reading, Changing {
  link(nodeId: NodeId, parent: NodeId, name: ChangedName, caller: Caller): Entry | Errno;
  rename(request: RenameRequest & { readonly from: ChangedName; readonly to: ChangedName }, caller: Caller): Errno;
  copyFileRange(request: CopyRequest & { readonly to: ChangedNode }, caller: Caller): number;
}
