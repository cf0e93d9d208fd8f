import { expect, it } from 'vitest';
import { readHealth } from './loopback-daemon.ts';

it.each([
  ['{"status":"ok","dir":"/p","connected":true}', { connected: true }],
  ['{"status":"ok","dir":"/p","connected":false}', { connected: false }],
  ['OK', { connected: false }],
  ['OK\n', { connected: false }],
])('takes %j on /health for a daemon', (text, daemon) => {
  expect(readHealth(text)).toEqual(daemon);
});

it.each(['', '<h1>OK</h1>', '{"status":"up"}', 'null', '{}', '"OK"', 'ok then'])(
  'invites no other program that answers %j on /health',
  (text) => {
    expect(readHealth(text)).toBeUndefined();
  },
);
