/**
 * `agents` of the session's entry: the agents that a person has wrapped in this session, and what they keep where. `yolofs wrap` writes it
 * outside of the view, where it is hidden.
 */
import * as v from 'valibot';
import type { Layout } from '../../history/layout.ts';
import { readText } from '../../sys/files/text-files.ts';
import { ConfigError } from '../../sys/user-error.ts';
import { literally, type Places, parsePattern } from '../pattern/pattern.ts';
import type { Rule } from '../rules.ts';
import type { State } from '../states.ts';

const paths = v.optional(v.array(v.string()), []);

const agentSchema = v.strictObject({
  direct: paths,
  own: paths,
  staged: paths,
  globs: paths,
  asked: paths,
  readable: paths,
  named: paths,
});

const schema = v.strictObject({ agents: v.record(v.string(), agentSchema) });

/** What one agent keeps where. */
export interface AgentPlaces {
  /** Directories that are passed through. */
  readonly direct: readonly string[];
  /** Directories that the session has of its own. */
  readonly own: readonly string[];
  /** Paths that are read freely; changes are staged. */
  readonly staged: readonly string[];
  /** The same as globs. */
  readonly globs: readonly string[];
  /** Directories with one for each project: what is in those is asked about, but for what is passed through. */
  readonly asked: readonly string[];
  /** Where its program lies. */
  readonly readable: readonly string[];
  /** What is called after a program without a profile: as `staged`, but where there would be a question only. */
  readonly named: readonly string[];
}

/** What is remembered of each agent, by its name. Throws a UserError for a file that makes no sense. */
export function loadEachAgent(layout: Layout): Readonly<Record<string, AgentPlaces>> {
  const text = readText(layout.agents);
  if (text === undefined) return {};
  const parsed = v.safeParse(schema, parseJson(text));
  if (!parsed.success)
    throw new ConfigError(`${layout.agents}: cannot be read`, 'remove it: the next wrap makes it anew');
  return parsed.output.agents;
}

/** All agents together. Throws as `loadEachAgent`. */
export function loadAgents(layout: Layout): AgentPlaces {
  const all = Object.values(loadEachAgent(layout));
  const every = (key: keyof AgentPlaces): string[] => [...new Set(all.flatMap((agent) => agent[key]))];
  return {
    direct: every('direct'),
    own: every('own'),
    staged: every('staged'),
    globs: every('globs'),
    asked: every('asked'),
    readable: every('readable'),
    named: every('named'),
  };
}

/** The text of the file. */
export function agentsText(agents: Readonly<Record<string, AgentPlaces>>): string {
  return `${JSON.stringify({ agents }, undefined, 2)}\n`;
}

/** Rules of the built-in layer: what a person says of the same paths counts. */
export function agentRules({ direct, own, staged, globs, asked }: AgentPlaces, places: Places): readonly Rule[] {
  const rulesFor = (texts: readonly string[], state: State): readonly Rule[] =>
    texts.flatMap((text) => {
      const patterns = parsePattern(text, places);
      if (typeof patterns === 'string') return [];
      return patterns.map((pattern) => ({ pattern, decider: { state, pattern: text, layer: 'default' as const } }));
    });
  return [
    ...rulesFor(
      asked.map((dir) => `${literally(dir)}/*/*`),
      'ask',
    ),
    ...rulesFor([...staged, ...direct, ...own].map(literally), 'allow'),
    ...rulesFor(globs, 'allow'),
  ];
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}
