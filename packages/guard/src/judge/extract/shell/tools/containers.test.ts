import { expect, it } from 'vitest';
import { effects } from '../testing.ts';

it.each([
  ['docker run -v /etc:/x img', '/etc'],
  ['docker run --mount type=bind,source=/etc,target=/x img', '/etc'],
  ['docker run -v /var/run/docker.sock:/s:ro img', '/var/run/docker.sock'],
  ['docker cp c:/x here', 'here'],
  ['docker cp c:/x/. here', 'here'],
  ['docker run --cidfile id img', 'id'],
  ['kubectl cp pod:/x here', 'here here/x'],
  ['kubectl config set-context x', '~/.kube/config'],
  ['docker build -o out .', 'out'],
  ['docker save -o a.tar img', 'a.tar'],
])('containers: finds what is written by %s', (command, expected) => {
  expect(effects(command)).toBe(expected);
});

it.each([
  'docker run -v .:/x img',
  'docker run -v /etc:/x:ro img',
  'docker run -v data:/x img',
  'docker run --mount type=bind,source=/etc,target=/x,readonly img',
  'docker ps',
  'docker context ls',
  'kubectl get pods',
  'docker compose up',
  'docker build -t x .',
])('containers: finds nothing that is written by %s', (command) => {
  expect(effects(command)).toBe('');
});

it.each(['docker run --privileged img', 'docker run --pid=host img', 'docker login'])(
  'containers: cannot tell what is written by %s',
  (command) => {
    expect(effects(command)).toBe('?');
  },
);
