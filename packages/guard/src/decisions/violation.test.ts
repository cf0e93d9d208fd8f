import { describe, expect, it } from 'vitest';
import type { Decision } from '../decision.ts';
import { startLines, toReaction, toViolation, violationLine } from './violation.ts';

const OUTSIDE: Decision = {
  decision: 'block',
  rule: 'outside-path',
  reason: "Path '/etc/passwd' is outside the project directory",
  paths: [
    { written: 'src/a.ts', read_as: 'src/a.ts', inside: true },
    { written: '/etc/passwd', read_as: '/etc/passwd', inside: false },
  ],
  accepted: 'Use a path inside.',
};

describe('a decision in the format of llm-interactive-proxy', () => {
  it('equals the documented example', () => {
    expect(toViolation(OUTSIDE, '/home/user/myproject')).toEqual({
      should_swallow: true,
      error_to_model:
        "File sandboxing violation: Path '/etc/passwd' is outside project directory '/home/user/myproject'. Operation blocked for security.",
      metadata: { decision: 'blocked', path: '/etc/passwd', project_root: '/home/user/myproject' },
    });
  });

  it('gives the reason of the rule if the path is not the cause', () => {
    const paths = [{ written: '.git/hooks/x', read_as: '.git/hooks/x', inside: true }];
    expect(
      toViolation({ ...OUTSIDE, rule: 'protected-path', reason: 'This file is protected.', paths }, '/p'),
    ).toMatchObject({
      error_to_model: 'File sandboxing violation: This file is protected. Operation blocked for security.',
      metadata: { path: '.git/hooks/x' },
    });
    expect(toViolation({ ...OUTSIDE, rule: 'no-project-root', paths: [] }, undefined)?.metadata).toEqual({
      decision: 'blocked',
      path: null,
      project_root: null,
    });
  });

  it('is undefined for an allowed call', () => {
    expect(toViolation({ ...OUTSIDE, decision: 'allow' }, '/p')).toBeUndefined();
  });

  it('is a reaction that does not swallow an allowed call', () => {
    expect(toReaction(OUTSIDE, '/p')).toEqual(toViolation(OUTSIDE, '/p'));
    const paths = [{ written: 'a.ts', read_as: 'a.ts', inside: true }];
    expect(toReaction({ ...OUTSIDE, decision: 'allow', paths }, '/p')).toEqual({
      should_swallow: false,
      metadata: { decision: 'allowed', path: 'a.ts', project_root: '/p' },
    });
  });

  it('logs the lines of llm-interactive-proxy', () => {
    expect([...startLines('/path/to/project', true), violationLine('write_file', OUTSIDE, 'codex')]).toEqual([
      '[INFO] Project root detected: /path/to/project',
      '[INFO] File sandboxing handler initialized with project root: /path/to/project',
      "[INFO] File sandboxing violation detected for tool 'write_file' (path '/etc/passwd', rule outside-path, agent codex)",
    ]);
    const odd = 'a\u001b[2J\nb';
    const paths = [{ written: odd, read_as: odd, inside: false }];
    expect(violationLine(odd, { ...OUTSIDE, paths }, odd)).not.toMatch(/[\u001b\n]/);
    expect(violationLine('w', { ...OUTSIDE, rule: 'no-project-root', paths: [] })).toContain(
      "'w' (rule no-project-root)",
    );
    expect(startLines(undefined, true)[0]).toContain('not detected');
    expect(startLines('/p', false)).toEqual(['[INFO] Project root detected: /p']);
  });
});
