// Prints and stores the results of the attack.
import { statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { runLines, writeResults } from '../../scripts/write-results.mjs';

const FILE_SYSTEMS = {
  0xef53: 'ext4',
  0x01021994: 'tmpfs',
  0x794c7630: 'overlayfs',
  0x9123683e: 'btrfs',
  0x58465342: 'xfs',
};

/** The name of the attacked file system. */
export function attackedFileSystem() {
  const { type } = statfsSync(tmpdir());
  return FILE_SYSTEMS[type] ?? `0x${type.toString(16)}`;
}

const columns = (...cells) =>
  cells.map((cell, i) => (i < 3 ? String(cell).padEnd([12, 7, 8][i]) : String(cell).padStart(10))).join(' ');
export const LINE_HEAD = columns(
  'operation',
  'flip',
  'resolver',
  'attempts',
  'served',
  'share',
  'escapes',
  'lost',
  'twin esc.',
  'twin',
  'flips',
);

/** Prints one cell on one line, with its verdict. */
export function line(result) {
  const { operation, flip, resolver, attempts, served, share, escapes, lost, twin, flips, problems } = result;
  const row = columns(
    operation,
    flip,
    resolver,
    attempts,
    served,
    percent(share),
    escapes,
    lost,
    twin.escapes,
    twin.attempts,
    flips,
  );
  return problems.length === 0 ? row : `${row}  <- ${problems.join('; ')} ${JSON.stringify(result.refusals)}`;
}

const percent = (share) => `${(share * 100).toFixed(1)} %`;

/** Writes docs/results/attack.md. */
export function writeAttack(record) {
  writeResults('attack', markdown(record));
}

function markdown({ run, fileSystem, seconds, attempts, cells }) {
  const escapes = cells.reduce((sum, cell) => sum + cell.escapes, 0);
  const served = cells.reduce((sum, cell) => sum + cell.served, 0);
  const twins = cells.reduce((sum, cell) => sum + cell.twin.escapes, 0);
  const again = cells.filter((cell) => cell.runs > 1).length;
  const passed = cells.filter((cell) => cell.problems.length === 0).length;
  return `# Attack on the workspace

\`npm run attack\`: ${passed} of ${cells.length} cells hold. **${escapes} escapes in ${attempts.toLocaleString('en')} attempts** (${served.toLocaleString('en')} served); the
unprotected twins lost ${twins.toLocaleString('en')} in the same cells before they were stopped.

${runLines(run, [`on ${fileSystem}, ${seconds} s`])}

Another process exchanges a part of the path with the outside as fast as the kernel lets it (renameat2,
RENAME_EXCHANGE), at three paces: \`dir\` a directory on the way with an absolute link, \`rel\` with a relative one,
\`leaf\` the last component with a link, \`dotdot\` a directory that a link passes by \`(y/..)\` 100 times with one outside.
An escape is outside content returned, listed, found or shown in an error, or anything made, changed, removed or moved
outside. A cell counts only when the same operation, written in the usual way (resolve, compare, use the path), does
escape in it, and when at least 1,000 calls were served. *Share* is the part of all calls that was served from the real
place; reads must reach 50 %, mutations 30 %. *Twin* is escapes of the unprotected twin in its calls; it is stopped
after a few. A cell that missed its share, or whose twin lost nothing, was run again, at most twice, and shows the sum
(${again} here): two busy cores can starve either side. An escape counts in whichever run it happens.

| operation | flip | resolver | attempts | served | share | escapes | twin | flips | |
|---|---|---|---:|---:|---:|---:|---:|---:|---|
${cells.map(row).join('\n')}
`;
}

function row({ operation, flip, resolver, attempts, served, share, escapes, twin, flips, problems }) {
  const verdict = problems.length === 0 ? '' : `**${problems.join('; ')}**`;
  return `| ${[operation, flip, resolver, attempts, served, percent(share), escapes, `${twin.escapes} / ${twin.attempts}`, flips, verdict].join(' | ')} |`;
}
