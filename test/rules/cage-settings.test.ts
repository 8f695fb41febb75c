/** What a project's file can do to the user's cage: make it tighter, nothing else. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CageSettings, tightened } from '../../src/rules/config/cage-settings.ts';

const USERS_OPEN = { sockets: ['docker'], ioUring: true, incomplete: true, passedVariables: ['A'], shims: ['grep'] };
const USERS_SHUT = { sockets: [], ioUring: false, incomplete: false, passedVariables: [], shims: [] };
const OPEN: CageSettings = { ...USERS_OPEN, network: 'host', limits: { memory: 100, cpuTime: 5 } };
const SHUT: CageSettings = { ...USERS_SHUT, network: 'none', limits: { memory: 50, openFiles: 9 } };

test('tightened() takes the smaller limit, and no network when either file says so', () => {
  const limits = { memory: 50, cpuTime: 5, openFiles: 9 };
  assert.deepEqual(tightened(OPEN, SHUT), { ...USERS_OPEN, network: 'none', limits });
});

test('tightened() gives a project nothing that the user has not', () => {
  const greedy = { ...OPEN, limits: { memory: 1000, processes: 7 } };
  const limits = { memory: 50, openFiles: 9, processes: 7 };
  assert.deepEqual(tightened(SHUT, greedy), { ...USERS_SHUT, network: 'none', limits });
});
