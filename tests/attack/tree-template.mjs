// A tree as data, to compare a directory with it and to restore the directory. A difference outside is an escape.
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';

/** A template maps names to texts (files) or to maps (directories); `mode` has the modes of directories. */
export function addPath(template, path, content) {
  const parts = path.split('/');
  let at = template;
  for (const part of parts.slice(0, -1)) {
    if (!at.has(part)) at.set(part, new Map());
    at = at.get(part);
  }
  at.set(parts.at(-1), content);
}

/**
 * Makes `dir` equal to `template` again and returns the differences. Runs only while the attacker is paused.
 *
 * @param spared names at the top that are not part of the template and are not touched
 */
export function repairTree(dir, template, spared = new Set(), above = '') {
  const differences = [];
  for (const name of readdirSync(dir)) {
    if (template.has(name) || (above === '' && spared.has(name))) continue;
    differences.push(`${above}${name} appeared`);
    rmSync(`${dir}/${name}`, { recursive: true, force: true });
  }
  for (const [name, wanted] of template) {
    const at = `${dir}/${name}`;
    const here = `${above}${name}`;
    if (wanted instanceof Map) {
      const problem = directoryProblem(at, wanted.mode);
      if (problem) {
        differences.push(`${here} ${problem}`);
        if (problem !== 'mode') rmSync(at, { recursive: true, force: true });
        mkdirSync(at, { recursive: true });
        if (wanted.mode) chmodSync(at, wanted.mode);
      }
      for (const deeper of repairTree(at, wanted, undefined, `${here}/`))
        if (!problem || problem === 'mode') differences.push(deeper);
    } else if (textOf(at) !== wanted) {
      differences.push(`${here} was ${textOf(at) ?? 'gone'}`);
      rmSync(at, { recursive: true, force: true });
      writeFileSync(at, wanted);
    }
  }
  return differences;
}

function directoryProblem(at, mode) {
  const stat = lstatSync(at, { throwIfNoEntry: false });
  if (!stat) return 'gone';
  if (!stat.isDirectory()) return 'no directory';
  return mode && (stat.mode & 0o777) !== mode ? 'mode' : undefined;
}

function textOf(at) {
  const stat = lstatSync(at, { throwIfNoEntry: false });
  if (!stat) return undefined;
  if (stat.isSymbolicLink()) return `a link to ${readlinkSync(at)}`;
  return stat.isFile() ? readFileSync(at, 'utf8') : 'a directory';
}
