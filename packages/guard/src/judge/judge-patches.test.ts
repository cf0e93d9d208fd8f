import { afterAll, expect, it } from 'vitest';
import { makeScratch } from '../../../workspace/src/testing.ts';
import { testPolicy } from '../testing.ts';
import type { Findings } from './extract/findings.ts';
import type { JudgeContext } from './judge-own-paths.ts';
import { judgePatches, judgePatchText } from './judge-patches.ts';
import type { Part } from './part.ts';
import { openPlace } from './place.ts';
import { pathRules } from './protect.ts';
import { toolName } from './tool-kind.ts';

const scratch = makeScratch(['a.ts', '.git/config']);
const place = openPlace(testPolicy(), scratch.workspace);
afterAll(() => {
  place.close();
  scratch.remove();
});
const context = { place, protect: pathRules(['.git/**']) } as unknown as JudgeContext;
const patch = (path: string) => `*** Begin Patch\n*** Update File: ${path}\n@@\n-a\n+b\n*** End Patch\n`;
const outcomeOf = (part: Part) => ('rule' in part ? `${part.outcome} ${part.rule}` : part.outcome);
const outcomes = (text: string, needsPath = true) => judgePatchText(context, text, needsPath).map(outcomeOf);

it('judges every file that a patch names', () => {
  expect(outcomes(patch('a.ts'))).toEqual(['allow']);
  expect(outcomes(patch('../x'))).toEqual(['block outside-path']);
  expect(outcomes(patch('.git/hooks/pre-commit'))).toEqual(['block protected-path']);
  expect(outcomes(patch('a.ts') + patch('/etc/passwd')).join()).toContain('block outside-path');
});

it('does not know what a patch without a file changes, unless the call names one', () => {
  expect(outcomes('-a\n+b\n')).toEqual(['undecided no-path-found']);
  expect(outcomes('-a\n+b\n', false)).toEqual([]);
});

it('needs a patch in a call of a tool that applies patches', () => {
  const found = (more: Partial<Findings>) =>
    ({ patches: [], texts: [], candidates: [], ...more }) as unknown as Findings;
  const judged = (name: string, more: Partial<Findings>) =>
    judgePatches(context, found(more), toolName(name, testPolicy())).map(outcomeOf);
  expect(judged('apply_patch', {})).toEqual(['undecided no-path-found']);
  expect(judged('apply_patch', { texts: [patch('../x')] })).toEqual(['block outside-path']);
  expect(judged('write_file', {})).toEqual([]);
  expect(judged('write_file', { patches: [patch('../x')] })).toEqual(['block outside-path']);
  // The text of another tool is content.
  expect(judged('write_file', { texts: [patch('../x')] })).toEqual([]);
});
