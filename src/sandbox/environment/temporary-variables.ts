/**
 * Variables that lead to a directory of the host for temporary files, as libpam-tmpdir and nix-shell set them: the view has a /tmp of its
 * own, in which that directory is not. Without the variable programs take /tmp.
 */
import { isNamed } from './secret-variables.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const NAMES: readonly string[] = ['TMPDIR', 'TMP', 'TEMP', 'TEMPDIR'];
const OF_THE_HOST = /^(?:\/tmp\/+[^/]|\/(?:var\/tmp|run\/user)(?:\/|$))/;

/** Those of `env`, but for what leads into the project and for what passes, as `secretVariables` takes it. */
export function temporaryVariables(env: Environment, project: string, passes: readonly string[]): readonly string[] {
  return NAMES.filter((name) => {
    const path = env[name] ?? '';
    const isOfProject = path === project || path.startsWith(`${project}/`);
    return OF_THE_HOST.test(path) && !isOfProject && !passes.some((one) => isNamed(name, one));
  });
}
