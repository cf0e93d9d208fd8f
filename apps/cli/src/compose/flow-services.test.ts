import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Models } from '@croft/models';
import { openActivity } from '@croft/tools';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { testDir } from '../../../../tests/support/temp-dir.ts';
import { type FlowServices, openFlowServices } from './flow-services.ts';

const FLAGS = { allowHost: [], allowCommand: [], credential: [] };
let dir: string;
let base: string;
let opened: FlowServices | undefined;
beforeEach(() => {
  const top = testDir();
  dir = join(top, 'work');
  base = join(top, 'base');
  mkdirSync(join(dir, 'sub'), { recursive: true });
  vi.stubEnv('CROFT_BASE_DIR', base);
});
afterEach(async () => {
  await opened?.close();
  opened = undefined;
  vi.unstubAllEnvs();
});
const open = (models?: Models) => (opened = openFlowServices(dir, FLAGS, models));

describe('the services of flows in a directory', () => {
  it('write files, and record the change under the name of the flow', () => {
    const { workspace } = open().services('Small');
    workspace?.write('a.txt', 'hello');
    expect(readFileSync(join(dir, 'a.txt'), 'utf8')).toBe('hello');
    expect(openActivity(base, dir).entries()).toMatchObject([{ actor: { flow: { name: 'Small' } } }]);
  });

  it('open parts of the directory, each once', () => {
    const services = open().services('Small');
    const part = services.openSubPath?.('sub', { readOnly: false });
    expect(services.openSubPath?.('sub', { readOnly: false })).toBe(part);
    expect(services.openSubPath?.('sub', { readOnly: true })).not.toBe(part);
    part?.write('b.txt', 'x');
    expect(existsSync(join(dir, 'sub', 'b.txt'))).toBe(true);
  });

  it('find flows beside it, and have the rest of what components use', async () => {
    writeFileSync(join(dir, 'other.flow'), 'name: Other\nnodes:\n  I: ChatInput\n');
    const services = open().services('Small');
    expect(await services.flows?.find('other')).toMatchObject({ flow: { name: 'Other' } });
    for (const name of ['fetch', 'channel', 'history', 'vectors', 'documents', 'mcp', 'sql'] as const)
      expect(services[name]).toBeDefined();
    expect(Math.abs(services.now().getTime() - Date.now())).toBeLessThan(10_000);
    expect(services).not.toHaveProperty('models');
    expect(services.history).toBe(opened?.services('Other').history);
  });

  it('have the given models and hide their keys', () => {
    const models = { secrets: new Set(['sk-1']) } as unknown as Models;
    const { services, secrets } = open(models);
    expect(services('Small').models).toBe(models);
    expect(secrets).toEqual(new Set(['sk-1']));
  });

  it('hide credentials of the environment', () => {
    vi.stubEnv('MY_TOKEN', 'secret-value');
    opened = openFlowServices(dir, { ...FLAGS, credential: ['MY_TOKEN=api.test'] }, undefined);
    expect([...opened.secrets]).toContain('secret-value');
  });

  it('end with close', async () => {
    const { services, close } = open();
    const { workspace } = services('Small');
    await close();
    opened = undefined;
    expect(() => workspace?.write('a.txt', 'x')).toThrow();
  });

  it('need a directory', () => {
    expect(() => openFlowServices(join(dir, 'none'), FLAGS, undefined)).toThrow(/Not a directory: .*none/);
  });
});
