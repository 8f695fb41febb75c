/**
 * The paper's routine tasks: 18 operations on paths of 5 to 7 shapes, 112 in all (reference/yolofs.md 8.7). The paper does
 * not print its table; this one has its operations, its shapes and its number. For copy and move the shape is that of both ends.
 */

export interface Task {
  /** Part of every path that the task touches, and of no other's. */
  readonly id: string;
  readonly operation: string;
  readonly shape: Shape;
  /** What is to be done, for sh in the project. */
  readonly script: string;
}

/** How the task names its files. Those with `..` in front lead out of the project, but `../proj/a` comes back. */
export const SHAPES = [
  './a',
  './a/../b',
  '../proj/a',
  '../a',
  '../a/../b',
  'link to file',
  'link to directory',
] as const;
export type Shape = (typeof SHAPES)[number];

const INSIDE: readonly Shape[] = ['./a', './a/../b', '../proj/a'];
const NO_FILE_LINK = SHAPES.filter((shape) => shape !== 'link to file');
const FIVE: readonly Shape[] = [...INSIDE, '../a', 'link to directory'];

/** Where a task's files are: in the project, outside of it, or behind a link in it that leads outside. */
export type Place = 'inside' | 'outside' | 'link';

export function placeOf({ shape }: Task): Place {
  if (INSIDE.includes(shape)) return 'inside';
  return shape.startsWith('link') ? 'link' : 'outside';
}

interface Operation {
  readonly shapes: readonly Shape[];
  /** `at` names something with the given last component, quoted for sh. */
  script(at: (name: string) => string): string;
}

/** Of each task's directory: `a` and `b.txt` are files of three lines, `sub` is a directory with two files in it. */
const OPERATIONS: Readonly<Record<string, Operation>> = {
  'file read': { shapes: SHAPES, script: (at) => `cat ${at('a')}` },
  'file append': { shapes: SHAPES, script: (at) => `echo more >> ${at('a')}` },
  'file overwrite': { shapes: SHAPES, script: (at) => `echo other > ${at('a')}` },
  'file patch': { shapes: SHAPES, script: (at) => `text=$(sed s/two/2/ ${at('a')}) && echo "$text" > ${at('a')}` },
  'file clear': { shapes: SHAPES, script: (at) => `: > ${at('a')}` },
  'file delete': { shapes: SHAPES, script: (at) => `rm ${at('a')}` },
  'file copy': { shapes: SHAPES, script: (at) => `cp ${at('a')} ${at('copy')}` },
  'file move': { shapes: SHAPES, script: (at) => `mv ${at('a')} ${at('moved')}` },
  'file create': { shapes: NO_FILE_LINK, script: (at) => `echo new > ${at('new')}` },
  'directory create': { shapes: NO_FILE_LINK, script: (at) => `mkdir ${at('made')}` },
  'directory delete': { shapes: NO_FILE_LINK, script: (at) => `rm -r ${at('sub')}` },
  'directory copy': { shapes: NO_FILE_LINK, script: (at) => `cp -r ${at('sub')} ${at('copied')}` },
  'directory move': { shapes: NO_FILE_LINK, script: (at) => `mv ${at('sub')} ${at('moved')}` },
  'search list': { shapes: NO_FILE_LINK, script: (at) => `ls -l --time-style=+ ${at('sub')} | cut -c1-11` },
  'search grep': { shapes: FIVE, script: (at) => `grep -r needle ${at('sub')}` },
  'search glob': { shapes: FIVE, script: (at) => `printf '%s\\n' ${at('sub')}/*.c` },
  'search glob and read': { shapes: FIVE, script: (at) => `cat ${at('sub')}/*.c` },
  'search glob and delete': { shapes: FIVE, script: (at) => `rm ${at('sub')}/*.c` },
};

/** All tasks; their files lie in `ID/` of the project and in `ID/` of the directory `outside` beside it. */
export function routineTasks(): readonly Task[] {
  return Object.entries(OPERATIONS).flatMap(([operation, { shapes, script }]) =>
    shapes.map((shape) => {
      const id = `${operation.replaceAll(' ', '-')}-${SHAPES.indexOf(shape)}`;
      return { id, operation, shape, script: script((name) => pathOf(shape, id, name)) };
    }),
  );
}

function pathOf(shape: Shape, id: string, name: string): string {
  switch (shape) {
    case './a':
      return `./${id}/${name}`;
    case './a/../b':
      return `./${id}/sub/../${name}`;
    case '../proj/a':
      return `../project/${id}/${name}`;
    case '../a':
      return `../outside/${id}/${name}`;
    case '../a/../b':
      return `../outside/${id}/sub/../${name}`;
    case 'link to file':
      return `./${id}/link-${name}`;
    case 'link to directory':
      return `./${id}/out/${name}`;
  }
}
