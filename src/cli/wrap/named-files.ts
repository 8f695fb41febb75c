/** Files in the host's /tmp that a person names when they start an agent: a screenshot, a log. The view has a /tmp of its own. */
import { LARGEST } from '../../daemon/tmp/host-tmp.ts';
import { SystemError } from '../../sys/errno.ts';
import { copyIn } from '../../sys/files/copy-in.ts';
import { realPath } from '../../sys/files/text-files.ts';

/** As a word or in one, without what ends a sentence. */
const NAMED = /(?<![\w./~-])\/tmp\/([^\s/'"`<>()]*[^\s/'"`<>().,;:!?])(?!\/)/g;

/** Their names. */
export function namedInTmp(args: readonly string[]): readonly string[] {
  return [...new Set(args.flatMap((arg) => [...arg.matchAll(NAMED)].map(([, name = '']) => name)))];
}

/** Copies those that are there into the view's /tmp (`tmp`: where the host finds it), and says so. */
export function copyFromHostTmp(names: readonly string[], tmp: string): void {
  for (const name of names) {
    try {
      const from = `${realPath('/tmp')}/${name}`;
      const copied = copyIn({ from, dir: tmp, name, most: LARGEST }, undefined);
      if (copied?.copy !== undefined) process.stderr.write(`the view's /tmp has a copy of ${from}\n`);
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
      process.stderr.write(`yolofs: not in the view: ${error.message}\n`);
    }
  }
}
