import { join } from 'node:path';
import { createDecisionLog, type Decision } from '@croft/guard';
import { makeSurroundings, openWire, type Surroundings, type Wire } from '@croft/mcp/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';

const BLOCKED: Decision = {
  decision: 'block',
  rule: 'outside-path',
  reason: "Path '/etc/x' is outside",
  paths: [],
  accepted: '',
};
let surroundings: Surroundings;
let wire: Wire | undefined;

beforeEach(() => {
  surroundings = makeSurroundings();
});
afterEach(async () => {
  await wire?.kill();
  surroundings.remove();
});

it('croft guard log --follow shows each new matching decision once', async () => {
  const log = createDecisionLog({ dir: join(surroundings.base, 'guard') });
  const decide = (tool: string, decision = BLOCKED) => log.record(decision, { tool, wire: 'hook', mode: 'enforce' });
  decide('before');
  wire = openWire(['guard', 'log', '--follow', '--blocked'], { cwd: surroundings.home, env: surroundings.env });
  const shows = async (text: string) => {
    while (!wire?.stdout().includes(text)) await new Promise((done) => setTimeout(done, 20));
  };
  await shows('before');
  decide('passes', { ...BLOCKED, decision: 'allow', rule: 'allowed' });
  decide('later');
  await shows('later');
  decide('last');
  await shows('last');
  log.close();
  const tools = wire
    .stdout()
    .split('\n')
    .flatMap((line) => /blocked +(\w+)/.exec(line)?.[1] ?? []);
  expect(tools).toEqual(['before', 'later', 'last']);
  expect(wire.stdout()).not.toContain('passes');
});
