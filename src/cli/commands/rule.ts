/** `yolofs rule`: what commands in the view may do with which paths, and who says so. */
import type { Command } from 'commander';
import type { Layout } from '../../history/layout.ts';
import type { Decider } from '../../rules/asker.ts';
import { pathMeant, patternFor, setRule, unsetRule } from '../../rules/config/change-rule.ts';
import { loadConfig } from '../../rules/config/config.ts';
import { realOf } from '../../rules/follow.ts';
import { Rules } from '../../rules/rules.ts';
import { answerOf, isState, STATES } from '../../rules/states.ts';
import { label, toBytePath } from '../../sys/bytes.ts';
import { withLiveDaemon } from '../connection.ts';
import { notEmpty } from '../look/path-words.ts';
import { SESSION_HELP } from '../program.ts';
import { EXPLAINED, RULES } from '../schemas/inside.ts';
import { jsonOption } from '../schemas/schema.ts';
import { madeSessionOf, sessionOf } from '../session.ts';
import { jsonItems, withEnds, writePieces } from '../text/output.ts';
import { paintFor } from '../text/terminal.ts';
import { UsageError } from '../usage-error.ts';

interface Options {
  readonly json?: true;
}

export function define(command: Command): void {
  const add = (name: string, summary: string): Command =>
    command.command(name).summary(summary).description(summary).option('--session <dir>', SESSION_HELP);
  jsonOption(add('list', 'list all rules, the weakest first'), 'list as JSON', RULES).action(list);
  add('set', 'set a rule, at once')
    .argument('<path>', "a path, or a glob such as '**/*.pem'")
    .argument('<state>', STATES.join(', '))
    .action(set);
  add('unset', 'take a rule back, at once').argument('<path>', 'as it was set').action(unset);
  jsonOption(add('explain', 'tell which rule decides about a path'), 'tell as JSON', EXPLAINED)
    .argument('<path>')
    .action(explain);
}

async function list(options: Options, command: Command): Promise<void> {
  const { rules } = loadConfig(sessionOf(command));
  const deciders = distinct(rules.map(({ decider }) => decider));
  if (options.json) return writePieces(jsonItems(deciders.map(deciderJson)));
  const paint = paintFor(process.stdout);
  const lines = deciders.map((rule) => `${rule.state.padEnd(9)}  ${rule.pattern}  ${paint.dim(sourceOf(rule))}\n`);
  await writePieces(lines);
}

async function set(path: string, state: string, _options: object, command: Command): Promise<void> {
  const session = madeSessionOf(command);
  if (!isState(state)) throw new UsageError(`'${state}' is no state`, `there are ${STATES.join(', ')}`);
  const pattern = patternFor(session, notEmpty(path), process.cwd());
  const files = setRule(session, pattern, state);
  process.stderr.write(`${pattern} is '${state}' now (${files.join(', ')})\n`);
  await reload(session);
}

async function unset(path: string, _options: object, command: Command): Promise<void> {
  const session = sessionOf(command);
  const files = unsetRule(session, patternFor(session, notEmpty(path), process.cwd()));
  process.stderr.write(`taken back (${files.join(', ')})\n`);
  await reload(session);
}

async function explain(path: string, options: Options, command: Command): Promise<void> {
  const { rules } = loadConfig(sessionOf(command));
  const real = toBytePath(realOf(pathMeant(notEmpty(path), process.cwd())));
  const { state, rule, ignored } = new Rules(rules).explain(real);
  const [read, write] = [answerOf(state, 'read'), answerOf(state, 'write')];
  if (options.json) {
    const more = ignored === undefined ? {} : { ignored: deciderJson(ignored) };
    return writePieces([
      `${JSON.stringify({ path: label(real), state, read, write, rule: deciderJson(rule), ...more })}\n`,
    ]);
  }
  const lines = [`${label(real)}: ${state}`, `  because of '${rule.pattern}' = '${rule.state}', ${sourceOf(rule)}`];
  if (ignored !== undefined) {
    lines.push(`  '${ignored.pattern}' = '${ignored.state}', ${sourceOf(ignored)}, does not count: it would be laxer`);
  }
  await writePieces(withEnds(lines));
}

/** Has the daemon go by the files; without one the next will. */
async function reload(session: Layout): Promise<void> {
  const { notice } = (await withLiveDaemon(session, (daemon) => daemon.request({ op: 'reload' }))) ?? {};
  if (notice !== undefined) process.stderr.write(`yolofs: ${notice}\n`);
}

/** One glob with braces is several rules. */
function distinct(deciders: readonly Decider[]): readonly Decider[] {
  return [...new Map(deciders.map((one) => [`${one.layer} ${one.pattern} ${one.state}`, one])).values()];
}

function deciderJson({ pattern, state, layer, place }: Decider): object {
  return { pattern, state, from: layer, ...(place === undefined ? {} : { place }) };
}

function sourceOf({ layer, place }: Decider): string {
  return layer === 'default'
    ? 'built in'
    : `${layer === 'project' ? "the project's" : `the ${layer}'s`} ${place ?? ''}`.trim();
}
