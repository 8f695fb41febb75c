import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { eventKey, trustedHash } from '../../../src/agents/codex-trust.ts';
import { applyChanges } from '../../../src/agents/install/apply.ts';
import { inspectAll } from '../../../src/agents/install/check/inspect.ts';
import { knownBad, versionIn } from '../../../src/agents/install/check/versions.ts';
import type { Level, Places } from '../../../src/agents/install/description.ts';
import { targetsOf } from '../../../src/agents/install/descriptions.ts';
import { ownProgram } from '../../../src/agents/install/own-handler.ts';
import { planInstall } from '../../../src/agents/install/plan.ts';
import { AGENTS } from './places.ts';

test('what was installed has no faults, and nothing is said of what is not', (t) => {
  const at = home(t);
  assert.deepEqual(at.faults(), []);
  for (const agent of AGENTS) if (agent !== 'codex') at.install(agent, 'user');
  assert.deepEqual(at.faults(), [
    "Copilot may read Claude Code's settings.json besides: each call is asked about twice",
  ]);
});

test('a path that leads nowhere or elsewhere, an old shape, a switch and a second copy are found', (t) => {
  const at = home(t);
  at.install('claude', 'user');
  at.install('claude', 'project');
  assert.deepEqual(at.faults(), ['it is installed for the user as well: each call is asked about twice']);
  rmSync(join(at.project, '.claude'), { recursive: true });
  rmSync(join(at.project, '.mcp.json'));
  const settings = join(at.home, '.claude/settings.json');
  const text = readFileSync(settings, 'utf8');
  const faultsWith = (from: string | RegExp, to: string): string[] => {
    writeFileSync(settings, text.replaceAll(from, to));
    return at.faults();
  };
  const old = `${settings} is not what this version writes`;
  assert.deepEqual(faultsWith(/"onFailure"/g, '"x"'), [old]);
  assert.deepEqual(faultsWith(at.program, '/nowhere/yolofs'), [
    '/nowhere/yolofs is not there, or cannot be executed',
    old,
  ]);
  assert.deepEqual(faultsWith(at.program, 'yolofs'), [
    "the hook names 'yolofs' without a path: it hangs on the agent's PATH",
    old,
  ]);
  writeFileSync(join(at.home, 'yolofs'), '', { mode: 0o755 });
  assert.deepEqual(faultsWith(at.program, join(at.home, 'yolofs')), [
    `${at.home}/yolofs is another yolofs than this one`,
    old,
  ]);
  assert.deepEqual(faultsWith(/^\{/g, '{ "disableAllHooks": true,'), [`${settings} has disableAllHooks`]);
  assert.deepEqual(faultsWith(/^\{/g, '{ "enabledPlugins": { "yolofs@market": true },'), [
    'the plugin is enabled as well: each call is asked about twice',
  ]);
  assert.deepEqual(faultsWith(text, '{}'), [`no hook in ${settings}`]);
  writeFileSync(settings, '{');
  assert.match(at.faults().join(), /settings\.json:1:2: this is not JSON/);
});

test('gemini: hooks that are switched off in its settings are found', (t) => {
  const at = home(t);
  at.install('gemini', 'user');
  const settings = join(at.home, '.gemini/settings.json');
  const text = readFileSync(settings, 'utf8');
  for (const [config, name] of [
    ['{ "enabled": false }', 'hooksConfig.enabled = false'],
    ['{ "disabled": ["lint", "yolofs"] }', 'our hook in hooksConfig.disabled'],
  ]) {
    writeFileSync(settings, text.replace('{', `{ "hooksConfig": ${config},`));
    assert.deepEqual(at.faults(), [`${settings} has ${name}`]);
  }
});

test('codex: hooks that nobody has trusted are found, and a sandbox that keeps commands from us', (t) => {
  const at = home(t);
  at.install('codex', 'user');
  const sandbox = /^sandbox_mode is its default: .* does not run$/;
  assert.match(at.faults()[0] ?? '', /^nobody has trusted PreToolUse, PostToolUse, SessionStart yet/);
  assert.match(at.faults()[1] ?? '', sandbox);
  const [file, config] = [join(at.home, '.codex/hooks.json'), join(at.home, '.codex/config.toml')];
  const { hooks } = JSON.parse(readFileSync(file, 'utf8')) as {
    hooks: Record<
      string,
      { matcher?: string; hooks: [{ command: string; timeout: number; statusMessage?: string }] }[]
    >;
  };
  const trust = Object.entries(hooks).map(([event, [group]]) => {
    assert.ok(group !== undefined);
    const hash = trustedHash({ event, matcher: group.matcher, ...group.hooks[0] });
    return `[hooks.state."${file}:${eventKey(event)}:0:0"]\ntrusted_hash = "${hash}"\n`;
  });
  const text = readFileSync(config, 'utf8');
  writeFileSync(config, `${text}${trust[0]}`);
  assert.match(at.faults()[0] ?? '', /^nobody has trusted PostToolUse, SessionStart yet/);
  writeFileSync(config, `sandbox_mode = "danger-full-access"\n${text}${trust.join('')}`);
  assert.deepEqual(at.faults(), []);
});

test('handlers of ours are known by their program, in any form', () => {
  const known: [object, string[]][] = [
    [{ command: '/opt/yolofs hook codex' }, ['/opt/yolofs']],
    [{ command: "'/a b/it'\\''s/yolofs' hook codex --ask" }, ["/a b/it's/yolofs"]],
    [{ bash: '/n/node /y/dist/src/cli/main.js hook copilot' }, ['/n/node', '/y/dist/src/cli/main.js']],
    [{ exec: '/a b/yolofs', args: ['hook', 'copilot'] }, ['/a b/yolofs']],
    [{ command: 'yolofs', args: ['hook', 'claude', '--ask'] }, ['yolofs']],
    [{ command: 'o=$(timeout 25 /opt/yolofs hook gemini); case "$?$o" in \'0{\'*) :;; esac' }, ['/opt/yolofs']],
  ];
  for (const [handler, program] of known) assert.deepEqual(ownProgram(handler), program);
  const others = [
    '/opt/yolofs status',
    'echo /opt/yolofs hook codex',
    'myyolofs hook codex',
    '/opt/other hook claude',
    '',
  ];
  for (const command of others) assert.equal(ownProgram({ command }), undefined, command);
  for (const value of [null, [], 'yolofs hook claude', { args: ['hook', 'x'] }])
    assert.equal(ownProgram(value), undefined);
});

test('versions in which rewriting is broken are known with their source', () => {
  assert.match(knownBad('claude', '2.1.176').join(), /#69970/);
  assert.match(knownBad('claude', '2.1.294').join(), /onFailure/);
  assert.match(knownBad('codex', '0.132.0').join(), /#20527/);
  for (const [agent, version] of [
    ['claude', '2.1.329'],
    ['codex', '0.169.0'],
    ['gemini', '0.61.0'],
    ['copilot', '1.0.102'],
  ] as const) {
    assert.deepEqual(knownBad(agent, version), [], agent);
  }
  assert.equal(versionIn('2.1.329 (Claude Code)\n'), '2.1.329');
  assert.equal(versionIn('command not found'), undefined);
});

interface Home {
  readonly home: string;
  readonly project: string;
  readonly program: string;
  install(agent: string, level: Level): void;
  faults(): string[];
}

function home(t: TestContext): Home {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'yolofs-test-inspect-')));
  t.after(() => rmSync(root, { recursive: true }));
  const made = { home: join(root, 'home'), project: join(root, 'project'), program: join(root, 'bin/yolofs') };
  for (const path of [made.home, made.project, dirname(made.program)]) mkdirSync(path);
  writeFileSync(made.program, '', { mode: 0o755 });
  const placesOf = (level: Level): Places => ({ ...made, level, environment: {} });
  return {
    ...made,
    install: (agent, level) => {
      const places = placesOf(level);
      applyChanges(planInstall(targetsOf(agent, places, [made.program]), places, {}), places);
    },
    faults: () => inspectAll(placesOf, [made.program]).flatMap(({ faults }) => faults.map(({ what }) => what)),
  };
}
