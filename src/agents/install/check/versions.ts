/**
 * Versions of agents in which rewriting a shell command is known not to work; a hook that is installed all right does
 * nothing there. The list can only be behind: what is not in it is tried by `doctor`, as far as that goes without a model.
 */

interface BadVersions {
  /** First and last, both included. */
  readonly from: string;
  readonly to: string;
  readonly why: string;
  readonly source: string;
}

/** From the maintainers' changelogs, issues that several people confirmed, and what others measured. */
const BAD: Readonly<Record<string, readonly BadVersions[]>> = {
  claude: [
    { from: '0', to: '2.0.9', why: 'hooks cannot rewrite a command', source: 'changelog 2.0.10' },
    { from: '2.0.76', to: '2.0.76', why: 'a rewrite is lost when a second hook answers nothing', source: '#15897' },
    { from: '2.1.70', to: '2.1.79', why: 'a rewrite is ignored with -p', source: '#32348, rtk#506' },
    { from: '2.1.176', to: '2.1.176', why: 'a rewrite is ignored', source: '#69970' },
    { from: '2.1.215', to: '2.1.215', why: 'a rewrite is ignored by the desktop application', source: '#79321' },
    { from: '0', to: '2.1.294', why: 'a hook that cannot run lets the call pass', source: 'onFailure since 2.1.295' },
  ],
  codex: [{ from: '0', to: '0.132.99', why: 'a rewrite is rejected', source: 'openai/codex#20527, #23757' }],
  copilot: [{ from: '0', to: '1.0.23', why: 'a rewrite is ignored', source: '#2013' }],
  opencode: [
    { from: '1.18.9', to: '1.18.9', why: 'plugins are reported to have no effect', source: '#39674' },
    { from: '1.18.18', to: '1.18.18', why: 'plugins are reported to have no effect', source: '#42409' },
  ],
};

/** What is known to be wrong with a version of an agent: `why (source)`; empty for most. */
export function knownBad(agent: string, version: string): readonly string[] {
  return (BAD[agent] ?? [])
    .filter(({ from, to }) => compare(version, from) >= 0 && compare(version, to) <= 0)
    .map(({ why, source }) => `${why} (${source})`);
}

/** The version in what a program prints for `--version`: the first three numbers with dots. */
export function versionIn(output: string): string | undefined {
  return /\d+\.\d+\.\d+/.exec(output)?.[0];
}

function compare(a: string, b: string): number {
  const [one, other] = [a, b].map((version) => version.split('.').map(Number));
  for (const i of [0, 1, 2]) {
    const difference = (one?.[i] ?? 0) - (other?.[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
