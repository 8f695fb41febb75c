import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hostSockets } from '../../src/sandbox/environment/host-sockets.ts';

const ENV = {
  HOME: '/h',
  XDG_RUNTIME_DIR: '/run/user/7',
  SSH_AUTH_SOCK: '/tmp/agent.1',
  DBUS_SESSION_BUS_ADDRESS: 'unix:path=/run/user/7/bus,guid=3',
  DOCKER_HOST: 'unix:///x/docker.sock',
  DISPLAY: ':1.0',
};

test('hostSockets() hides the variables of all that is not allowed', () => {
  const { paths, hiddenVariables, abstract } = hostSockets(['ssh-agent'], ENV);
  assert.deepEqual([paths, abstract], [['/tmp/agent.1'], false]);
  for (const name of ['DOCKER_HOST', 'DBUS_SESSION_BUS_ADDRESS', 'DISPLAY']) assert.ok(hiddenVariables.includes(name));
  assert.equal(hiddenVariables.includes('SSH_AUTH_SOCK'), false);
});

test('hostSockets() finds allowed sockets by what the environment says', () => {
  assert.deepEqual(hostSockets(['x11', 'abstract'], ENV).paths, ['/tmp/.X11-unix/X1']);
  assert.equal(hostSockets(['abstract'], ENV).abstract, true);
  assert.ok(hostSockets(['docker'], ENV).paths.includes('/x/docker.sock'));
  assert.ok(hostSockets(['dbus'], ENV).paths.includes('/run/user/7/bus'));
  assert.deepEqual(hostSockets(['wayland', 'ssh-agent'], {}).paths, []);
  assert.deepEqual(hostSockets(['docker'], { DOCKER_HOST: 'tcp://10.0.0.1:2375' }).paths, [
    '/run/docker.sock',
    '/run/podman/podman.sock',
  ]);
});

test('hostSockets() hides the runtime directory, unless something in it is passed through', () => {
  const isHidden = (...allowed: readonly string[]): boolean =>
    hostSockets(allowed, ENV).hiddenVariables.includes('XDG_RUNTIME_DIR');
  assert.deepEqual([isHidden(), isHidden('ssh-agent'), isHidden('/run/user/70/x')], [true, true, true]);
  assert.deepEqual([isHidden('dbus'), isHidden('/run/user/7/x.sock'), isHidden('/run/user/7')], [false, false, false]);
  assert.equal(hostSockets(['/run/x.sock'], {}).hiddenVariables.includes('XDG_RUNTIME_DIR'), true);
});
