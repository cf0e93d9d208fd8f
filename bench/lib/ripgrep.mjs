import { timeProgram } from './measure.mjs';

/**
 * Options with which ripgrep searches the same files as Croft: hidden files too, only `.gitignore` files of the tree
 * (no repository needed, none above, no global ones, no `.ignore`), no configuration, no size limit.
 */
export const SAME_RULES = [
  '--no-config',
  '--hidden',
  '--no-require-git',
  '--no-ignore-parent',
  '--no-ignore-global',
  '--no-ignore-exclude',
  '--no-ignore-dot',
];

/** Lists files by pattern; with CPU and wall milliseconds. */
export function rgFiles(rg, dir, pattern, extra = []) {
  const { stdout, cpu, wall } = timeProgram([rg.path, ...SAME_RULES, ...extra, '--files', '-g', pattern], { cwd: dir });
  return { cpu, wall, paths: lines(stdout).sort() };
}

/** Counts matching lines a file, on one thread; with CPU and wall milliseconds. */
export function rgCount(rg, dir, pattern, literal) {
  const mode = literal ? ['-F'] : [];
  const command = [rg.path, ...SAME_RULES, '-j1', '--count', '--with-filename', ...mode, '-e', pattern, '.'];
  // Exit code 1 means no match.
  const { stdout, cpu, wall } = timeProgram(command, { cwd: dir, codes: [0, 1] });
  const counts = new Map();
  for (const line of lines(stdout)) {
    const colon = line.lastIndexOf(':');
    counts.set(line.slice(2, colon), Number(line.slice(colon + 1)));
  }
  return { cpu, wall, counts };
}

function lines(text) {
  return text.split('\n').filter((line) => line !== '');
}
