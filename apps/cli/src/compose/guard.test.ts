import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { captureOutput } from '../../../../tests/support/capture-output.ts';
import { testDir } from '../../../../tests/support/temp-dir.ts';
import { UsageError } from '../usage-error.ts';
import { guardConfigOf, guardRoot, readGuardConfig } from './guard.ts';

let home: string;
let project: string;
let env: NodeJS.ProcessEnv;
beforeEach(() => {
  home = testDir();
  project = join(home, 'project');
  mkdirSync(join(project, '.git'), { recursive: true });
  mkdirSync(join(project, 'src'));
  env = { HOME: home, CROFT_BASE_DIR: join(home, 'base') };
});
const strict = 'sandboxing: {strict_mode: true}\n';

describe('the project that the guard protects', () => {
  it('is found from the working directory', () => {
    expect(guardRoot({}, false, join(project, 'src'))).toBe(project);
  });

  it('is that of --root, which must be a directory', () => {
    const root = relative(process.cwd(), join(project, 'src'));
    expect(guardRoot({ root }, false, project)).toBe(join(project, 'src'));
    writeFileSync(join(project, 'file'), '');
    for (const wrong of [join(project, 'none'), join(project, 'file')])
      expect(() => guardRoot({ root: wrong }, false, project)).toThrow(new UsageError(`Not a directory: ${wrong}`));
  });

  it('is named absolutely for an agent on another machine, and not looked for here', () => {
    expect(guardRoot({ root: '/none' }, true, project)).toBe('/none');
    expect(guardRoot({ root: 'C:\\none' }, true, project)).toBe('C:\\none');
    expect(() => guardRoot({ root: 'none' }, true, project)).toThrow(
      new UsageError('With --remote, --root must be an absolute path: none'),
    );
    expect(() => guardRoot({}, true, project)).toThrow(
      new UsageError('--remote needs --root: the project directory of the agent on its own machine'),
    );
  });
});

describe('the configuration of the guard', () => {
  const write = (file: string, text: string) => {
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, text);
    return file;
  };
  const sources = ({ file, projectFile }: { file?: string | undefined; projectFile?: string | undefined }) => ({
    file,
    projectFile,
  });

  it('is in the base directory of the environment and in the project', () => {
    captureOutput();
    const file = write(join(home, 'base', 'croft.config.yaml'), strict);
    const projectFile = write(join(project, 'croft.config.yaml'), strict);
    expect(sources(readGuardConfig({}, join(project, 'src'), env))).toEqual({ file, projectFile });
    expect(sources(readGuardConfig({ remote: true }, project, env))).toEqual({ file, projectFile: undefined });
    expect(sources(readGuardConfig({ root: project }, home, env))).toEqual({ file, projectFile });
    expect(sources(readGuardConfig({}, project, env, undefined))).toEqual({ file, projectFile });
    expect(sources(readGuardConfig({}, home, env, project))).toEqual({ file, projectFile });
    expect(sources(guardConfigOf({}, undefined, env))).toEqual({ file, projectFile: undefined });
  });

  it('is that of --config, which must exist', () => {
    const own = write(join(home, 'own.yaml'), strict);
    expect(guardConfigOf({ config: relative(process.cwd(), own) }, undefined, env).file).toBe(own);
    expect(() => guardConfigOf({ config: join(home, 'none.yaml') }, undefined, env)).toThrow(UsageError);
  });

  it('says in one sentence what is wrong with it', () => {
    write(join(home, 'base', 'croft.config.yaml'), 'sandboxing: {mode: sometimes}\n');
    expect(() => guardConfigOf({}, undefined, env)).toThrow(UsageError);
    expect(() => guardConfigOf({}, undefined, env)).toThrow(/croft\.config\.yaml.*mode/);
  });

  it('names settings without effect on standard error', () => {
    const output = captureOutput();
    write(join(project, 'croft.config.yaml'), 'sandboxing: {mode: dry-run}\n');
    const { notices } = readGuardConfig({}, project, env);
    expect(notices.length).toBeGreaterThan(0);
    expect(output.err).toBe(notices.map((notice) => `croft: ${notice}\n`).join(''));
  });
});
