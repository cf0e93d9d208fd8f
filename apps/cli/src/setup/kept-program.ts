import { randomBytes } from 'node:crypto';
import { cpSync, existsSync, lstatSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { makeDirs, osReason } from '@croft/workspace';
import { UsageError } from '../usage-error.ts';
import type { Program } from './server-command.ts';

const ENTRY = 'croft.cjs';
/** All files of the program except koffi, which is optional. */
const FILES = [
  ENTRY,
  'croft-main.cjs',
  'croft-guard.cjs',
  'croft-flow.cjs',
  'croft-proxy.cjs',
  'croft-re2.cjs',
  'search-worker.cjs',
  'sandbox-worker.cjs',
  'quickjs.wasm.br',
  'component-sources.json.br',
];
const WRITABLE_BY_OTHERS = 0o022;
/** A directory of a copy that was never finished is removed after this time. */
const UNFINISHED_MS = 60 * 60 * 1000;

/** The copy of the program that clients start. Updates, cleared caches and removed checkouts do not affect it. */
export interface KeptProgram extends Program {
  /** Directory of the copy: `<base>/programs/<version>`. */
  readonly dir: string;
  /**
   * Makes the copy, or replaces it when its bytes differ from the running program (a rebuilt checkout of one version).
   * Running clients keep what they have loaded.
   *
   * @returns whether anything was written
   * @throws UsageError when the program is incomplete or the copy cannot be written
   */
  keep(): boolean;
}

/** The directory that holds one copy of the program for each version. */
export function programsDir(baseDir: string): string {
  return join(baseDir, 'programs');
}

/** Says where the copy of a program is; writes nothing before {@link KeptProgram.keep}. */
export function keptProgram(program: Program, baseDir: string): KeptProgram {
  const dir = join(programsDir(baseDir), program.version);
  return { ...program, script: join(dir, ENTRY), dir, keep: () => keep(program, dir) };
}

function keep(program: Program, dir: string): boolean {
  const from = dirname(program.script);
  const missing = FILES.filter((name) => !existsSync(join(from, name)));
  if (missing.length > 0)
    throw new UsageError(`This installation of Croft is not complete: ${missing.join(', ')} is missing in ${from}`);
  if (resolve(from) === resolve(dir)) return false;
  const koffi = koffiPackages(program, from);
  if (isSame(from, dir, koffi)) return false;
  try {
    makeDirs(dirname(dir));
    expectOwn(dirname(dir));
    replace(dir, (to) => {
      makeDirs(to);
      for (const name of FILES) cpSync(join(from, name), join(to, name));
      for (const [name, source] of koffi) {
        makeDirs(dirname(join(to, name)));
        cpSync(source, join(to, name), { recursive: true, dereference: true });
      }
    });
    return true;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(
      `The program cannot be copied to ${dir}: ${osReason(error)}. Free space there, stop what runs from it, or set CROFT_BASE_DIR`,
    );
  }
}

/** Refuses a directory that other users can change, because clients execute the copy. */
function expectOwn(dir: string): void {
  if (process.getuid === undefined) return;
  const stats = lstatSync(dir);
  if (stats.isDirectory() && stats.uid === process.getuid() && (stats.mode & WRITABLE_BY_OTHERS) === 0) return;
  throw new UsageError(
    `Other users could change the program in ${dir}. Make it a directory of your own with chmod 700, or set CROFT_BASE_DIR`,
  );
}

/** Fills a new directory and replaces the old one by two renames, so that no client finds an incomplete copy. */
function replace(dir: string, fill: (to: string) => void): void {
  const parent = dirname(dir);
  const unique = `${basename(dir)}-${process.pid}-${randomBytes(4).toString('hex')}`;
  const [fresh, old] = [join(parent, `.new-${unique}`), join(parent, `.old-${unique}`)];
  removeUnfinished(parent);
  try {
    fill(fresh);
    if (existsSync(dir)) renameSync(dir, old);
    try {
      renameSync(fresh, dir);
    } catch (error) {
      if (existsSync(old)) renameSync(old, dir);
      throw error;
    }
  } finally {
    for (const left of [fresh, old]) rmSync(left, { recursive: true, force: true });
  }
}

function removeUnfinished(parent: string): void {
  for (const name of readdirSync(parent)) {
    const path = join(parent, name);
    if (/^\.(?:new|old)-/.test(name) && statSync(path).mtimeMs < Date.now() - UNFINISHED_MS)
      rmSync(path, { recursive: true, force: true });
  }
}

/** Finds koffi and its binary for this machine as Node does: in `node_modules`, upwards from `from`. */
function koffiPackages({ platform }: Program, from: string): readonly (readonly [name: string, source: string])[] {
  return ['koffi', `@koromix/koffi-${platform}-${process.arch}`].flatMap((name) => {
    const inModules = join('node_modules', name);
    let dir = from;
    while (!existsSync(join(dir, inModules)) && dir !== dirname(dir)) dir = dirname(dir);
    return existsSync(join(dir, inModules)) ? [[inModules, join(dir, inModules)] as const] : [];
  });
}

function isSame(from: string, dir: string, packages: readonly (readonly [string, string])[]): boolean {
  try {
    if (packages.length === 0 && existsSync(join(dir, 'node_modules'))) return false;
    return [
      ...FILES.map((name) => [join(from, name), join(dir, name)] as const),
      ...packages.map(([name, source]) => [join(source, 'package.json'), join(dir, name, 'package.json')] as const),
    ].every(([one, other]) => readFileSync(one).equals(readFileSync(other)));
  } catch {
    return false;
  }
}
