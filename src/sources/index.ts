/** `import { mount, bashFor } from 'yolofs/sources'`: sources for programs that embed them. */
export { type BashSession, bashFor, type Executed, type Mounted, type MountOptions, mount } from './shell/session.ts';
export type { SourceFiles } from './shell/source-files.ts';
