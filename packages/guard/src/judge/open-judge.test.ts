import { join } from 'node:path';
import { makeScratch } from '@croft/workspace/testing';
import { afterAll, expect, it } from 'vitest';
import type { ConfiguredPolicy } from '../policy/policy-for.ts';
import { testPolicy } from '../testing.ts';
import { openJudge } from './open-judge.ts';

const scratch = makeScratch(['src/a']);
afterAll(() => scratch.remove());

const policy: ConfiguredPolicy = {
  ...testPolicy(),
  tightening: {},
  overrides: [
    { scope: 'agent', fits: (name) => name === 'cline', changes: { strict: true } },
    { scope: 'model', fits: (name) => name === 'tiny', changes: { mode: 'dry-run' } },
    { scope: 'project', fits: (name) => name === scratch.workspace, changes: { denyRead: ['.env'] } },
  ],
};

function decide(path: string, ...more: [root: string | undefined, cwd?: string]): string {
  const [root, cwd] = more;
  const { judge } = openJudge(policy, root, {}, cwd);
  const { decision, rule, paths } = judge.judge({ name: 'Write', arguments: { file_path: path, content: '' } });
  judge.close();
  return [decision, rule, ...paths.map((one) => one.read_as)].join(' ');
}

it('judges from the root, or from the working directory of the agent', () => {
  expect(decide('a', scratch.workspace)).toBe('allow allowed a');
  expect(decide('a', scratch.workspace, join(scratch.workspace, 'src'))).toBe('allow allowed src/a');
  expect(decide('../a', scratch.workspace)).toBe('block outside-path ../a');
});

it('blocks every call without a root', () => {
  expect(decide('a', undefined)).toBe('block no-project-root');
});

it('applies what the policy overrides for the project, the agent and the model', () => {
  const opened = (subject: { agent?: string; model?: string }, root: string | undefined) => {
    const { judge, policy: own } = openJudge(policy, root, subject);
    judge.close();
    return { strict: own.strict, mode: own.mode, denyRead: own.denyRead };
  };
  const plain = { strict: false, mode: 'enforce', denyRead: [] };
  expect(opened({}, undefined)).toEqual(plain);
  expect(opened({ agent: 'cline', model: 'other' }, undefined)).toEqual({ ...plain, strict: true });
  expect(opened({ model: 'tiny', agent: 'other' }, undefined)).toEqual({ ...plain, mode: 'dry-run' });
  expect(opened({}, scratch.workspace)).toEqual({ ...plain, denyRead: ['.env'] });
});
