/** All files of all agents at both levels, for a person who does not exist. */
import type { Places, Target } from '../../../src/agents/install/description.ts';
import { DESCRIPTIONS, targetsOf } from '../../../src/agents/install/descriptions.ts';

export const AGENTS: readonly string[] = Object.keys(DESCRIPTIONS);

export const USER: Places = { level: 'user', home: '/nobody', project: '/nobody/project', environment: {} };

export const TARGETS: readonly Target[] = AGENTS.flatMap((agent) => [
  ...targetsOf(agent, USER, ['/opt/yolofs/bin/yolofs']),
  ...targetsOf(agent, { ...USER, level: 'project' }, ['/opt/node/bin/node', "/opt/it's here/cli/main.js"]),
]);
