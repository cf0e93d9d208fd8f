import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { testDir } from '../../../../tests/support/temp-dir.ts';
import { CONFIG_FILE, type ConfigSources, findGuardConfig, MISNAMED_FILE, offNotice } from './find-config.ts';
import { GuardConfigError } from './guard-config-error.ts';

let base: string;
let root: string;
beforeEach(() => {
  const dir = testDir();
  [base, root] = [join(dir, 'base'), join(dir, 'project')];
  mkdirSync(base);
  mkdirSync(root);
});

const write = (dir: string, yaml: string, name = CONFIG_FILE) => {
  writeFileSync(join(dir, name), `sandboxing:\n  ${yaml}\n`);
  return join(dir, name);
};
const find = (more: Partial<ConfigSources> = {}, project: string | undefined = root) =>
  findGuardConfig({ env: {}, baseDir: base, ...more }, project);
const problem = (act: () => unknown): string => {
  try {
    act();
  } catch (error) {
    if (error instanceof GuardConfigError) return error.message;
    throw error;
  }
  return 'none';
};

describe('the configuration of a guard', () => {
  it("is the user's file in the base directory, or the named one instead", () => {
    const usual = write(base, 'strict_mode: true');
    expect(find()).toMatchObject({ file: usual, projectFile: undefined, policy: { strict: true } });
    const named = write(base, 'mode: dry-run', 'other.yaml');
    expect(find({ file: named })).toMatchObject({ file: named, policy: { strict: false, mode: 'dry-run' } });
    expect(find({ env: { SANDBOXING_STRICT: 'x' } }).file).toBe(usual);
  });

  it('is tightened by the file of the project, and never loosened', () => {
    write(base, 'strict_mode: true');
    const own = write(root, 'deny_read: [secret/**]\n  strict_mode: false\n  allowed_roots: [/srv]');
    const { policy, projectFile, notices } = find();
    expect(projectFile).toBe(own);
    expect(policy).toMatchObject({ strict: true, allowedRoots: [] });
    expect(policy.denyRead).toContain('secret/**');
    expect(notices).toHaveLength(2);
    expect(notices[0]).toBe(
      `${own}:3:3: sandboxing.strict_mode is not obeyed: a project's own file may only tighten. To allow it, put it into ${join(base, CONFIG_FILE)} under sandboxing.projects, below ${JSON.stringify(root)}`,
    );
  });

  it('counts as the user’s own where the user names the file of the project, by any of its names', () => {
    const own = write(root, 'enabled: false');
    symlinkSync(own, join(base, 'alias.yaml'));
    for (const file of [own, join(base, 'alias.yaml')])
      expect(find({ file })).toMatchObject({ projectFile: undefined, policy: { enabled: false }, notices: [] });
  });

  it('for another project has the settings of the start and the current file of that project', () => {
    const file = write(base, 'mode: dry-run');
    const config = find();
    writeFileSync(file, 'sandboxing:\n  mode: enforce\n');
    const other = testDir();
    write(other, 'strict_mode: true');
    expect(config.forProject(other).policy).toMatchObject({ mode: 'dry-run', strict: true });
    expect(config.forProject(root).policy).toMatchObject({ mode: 'dry-run', strict: false });
  });

  it('warns about further roots that allow nothing', () => {
    writeFileSync(join(base, 'f'), '');
    write(base, `allowed_roots: [${base}/missing, ${base}/f, ${base}]`);
    expect(find().notices).toEqual([
      `allowed_roots: ${base}/missing is not there, so it allows nothing until it is made`,
      `allowed_roots: ${base}/f is no directory, so it allows nothing until it is made`,
    ]);
  });
});

describe('a guard does not start', () => {
  it('beside a file with the other common name', () => {
    for (const dir of [base, root]) {
      const misnamed = write(dir, 'strict_mode: true', MISNAMED_FILE);
      expect(problem(find)).toBe(`${misnamed} is not read: its name must be ${CONFIG_FILE}`);
      rmSync(misnamed);
    }
  });

  it('without a file that was named, and with a directory or an unfinished path in its place', () => {
    expect(problem(() => find({ file: join(base, 'no.yaml') }))).toBe(
      `${join(base, 'no.yaml')} cannot be read: ENOENT`,
    );
    mkdirSync(join(root, CONFIG_FILE));
    expect(problem(find)).toBe(`${join(root, CONFIG_FILE)} cannot be read: not a file`);
  });
});

it('says which setting turned the guard off', () => {
  expect(offNotice(find())).toBeUndefined();
  const file = write(base, 'enabled: false');
  expect(offNotice(find())).toBe(`the guard is off (${file}:2): every call passes`);
});
