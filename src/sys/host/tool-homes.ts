/**
 * Where tools keep what is their own: in the home directory or, for who keeps that clear, below ~/.local/share, where
 * $CARGO_HOME, $GOPATH, $GRADLE_USER_HOME, $GEM_HOME and $BUN_INSTALL lead then. What is known of the one place holds for the other.
 */
const HOMES: readonly (readonly [string, string])[] = [
  ['.cargo', '.local/share/cargo'],
  ['go', '.local/share/go'],
  ['.gradle', '.local/share/gradle'],
  ['.gem', '.local/share/gem'],
  ['.bun', '.local/share/bun'],
];

/** Paths or patterns below the home directory, with or without `~/`: those of these tools also at their other place. */
export function atEveryHome(paths: readonly string[]): readonly string[] {
  return paths.flatMap((path) => {
    const [start, below] = path.startsWith('~/') ? ['~/', path.slice(2)] : ['', path];
    const [home, other] = HOMES.find(([one]) => below === one || below.startsWith(`${one}/`)) ?? [];
    return home === undefined ? [path] : [path, `${start}${other}${below.slice(home.length)}`];
  });
}
