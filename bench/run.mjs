/**
 * Measures Croft's file server against pinned peers: `npm run bench`.
 *
 * --rows a,b   only these rows: start, read, write, edit, glob, grep, large, memory
 * --quick      few rounds, small tree; gates on counts and, with slack, on ratios (for CI)
 * --bundle F   measure this croft.cjs instead of apps/cli/dist/croft.cjs
 * --json       the results as JSON on stdout, the rest on stderr
 *
 * The files are in memory (/dev/shm) if 4 GB are free there: after many deletions, by any program, ext4 spends up to five
 * times as long on a new file for a minute, which would decide the rows of write and edit.
 *
 * Ends with 1 when a bar is missed or a peer did not answer correctly. A full run of all rows writes docs/results/.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readOptions } from './lib/options.mjs';
import { installPeers, peersInstalled, ripgrep } from './lib/peers.mjs';
import { asTable, describeBench, loadOfMachine, writeBench } from './lib/report.mjs';
import { verdict } from './lib/results.mjs';
import { bareServer, croftServer, officialServers } from './lib/servers.mjs';
import { SAME_RULES } from './lib/ripgrep.mjs';
import { makeTree } from './lib/tree.mjs';
import { runEdit, runWrite } from './rows/change.mjs';
import { run as runGlob } from './rows/glob.mjs';
import { run as runGrep } from './rows/grep.mjs';
import { run as runLarge } from './rows/large.mjs';
import { run as runMemory } from './rows/memory.mjs';
import { run as runRead } from './rows/read.mjs';
import { run as runStart } from './rows/start.mjs';

const ROWS = {
  start: runStart,
  read: runRead,
  write: runWrite,
  edit: runEdit,
  glob: runGlob,
  grep: runGrep,
  large: runLarge,
  memory: runMemory,
};

process.exitCode = await main();

async function main() {
  const options = readOptions(Object.keys(ROWS), { takesBundle: true });
  if (!options) return 2;
  const say = (text) => (options.json ? console.error(text) : console.log(text));
  if (!peersInstalled() && !options.quick) installPeers();
  // Node parses the certificates of this variable at every start, which takes half as long as a server's own start.
  delete process.env.NODE_EXTRA_CA_CERTS;
  if (!peersInstalled())
    say('The peers are not installed (npm install in bench/peers): only what needs none of them is measured.');
  const tmp = realpathSync(mkdtempSync(join(directoryForFiles(), 'croft-bench-')));
  const stop = () => {
    rmSync(tmp, { recursive: true, force: true });
    process.exit(130);
  };
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    return await measure(options, tmp, say);
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
    rmSync(tmp, { recursive: true, force: true });
  }
}

function directoryForFiles() {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm');
    return bavail * bsize > 4e9 ? '/dev/shm' : tmpdir();
  } catch {
    return tmpdir();
  }
}

async function measure(options, tmp, say) {
  const ctx = createContext(options, tmp, say);
  const run = { ...describeBench(subjectsOf(ctx)), files: ctx.files };
  for (const { name, version, command } of run.subjects)
    say(`${name.padEnd(18)} ${version}\n${' '.repeat(19)}${command}`);
  say(`commit ${run.commit}\n${run.machine}, Node ${run.node}, files ${run.files}, load ${run.loadBefore.join(' ')}\n`);
  const results = [];
  const broken = [];
  for (const row of options.rows) {
    const start = Date.now();
    try {
      results.push(...(await ROWS[row](ctx)));
    } catch (error) {
      // A row that could not be measured fails the run; report the others anyway.
      broken.push(`${row}: ${error.message}`);
    }
    say(`${row} took ${((Date.now() - start) / 1e3).toFixed(1)} s`);
  }
  run.loadAfter = loadOfMachine();
  const missed = results.filter((result) => verdict(result, options.quick) === 'MISS');
  say(`\n${asTable(results, options.quick)}\n\nload after ${run.loadAfter.join(' ')}`);
  for (const text of broken) say(`NOT MEASURED ${text}`);
  if (options.json) console.log(JSON.stringify({ ...run, quick: options.quick, results, broken }, null, 1));
  const complete =
    !options.quick && !options.bundle && broken.length === 0 && options.rows.length === Object.keys(ROWS).length;
  if (complete) say(`written to ${writeBench(run, results)}`);
  say(
    `${results.filter((result) => verdict(result, options.quick) === 'pass').length} bars held, ${missed.length} missed, ${broken.length} rows not measured`,
  );
  return missed.length + broken.length === 0 ? 0 : 1;
}

/** The context of every row. */
function createContext({ quick, bundle }, tmp, say) {
  const peers = peersInstalled();
  const home = join(tmp, 'home');
  mkdirSync(home);
  let tree;
  return {
    quick,
    peers,
    // An empty home directory: no server reads this machine's settings or leaves files behind.
    env: {
      HOME: home,
      XDG_CACHE_HOME: join(home, '.cache'),
      XDG_CONFIG_HOME: join(home, '.config'),
      XDG_DATA_HOME: join(home, '.local/share'),
      XDG_STATE_HOME: join(home, '.local/state'),
    },
    files: tmp.startsWith('/dev/shm') ? 'in memory' : 'on the disk',
    croft: croftServer(bundle),
    bare: bareServer(),
    officials: peers ? officialServers() : [],
    rg: peers ? ripgrep() : undefined,
    makeDir(name) {
      const dir = join(tmp, name);
      mkdirSync(dir, { recursive: true });
      return dir;
    },
    /** The large tree, created when the first row needs it. */
    tree() {
      if (!tree) {
        const dir = join(tmp, 'tree');
        tree = {
          dir,
          ...makeTree(dir, quick ? { files: 12_000, directories: 600 } : { files: 62_000, directories: 2_000 }),
        };
        say(`tree: ${tree.files} files, ${tree.directories} directories, ${(tree.bytes / 1e6).toFixed(0)} MB`);
      }
      return tree;
    },
  };
}

function subjectsOf(ctx) {
  const servers = [ctx.croft, ...ctx.officials, ctx.bare].map((server) => ({
    name: server.name,
    version: server.version,
    command: server.command('DIR').map(withoutPlace).join(' '),
  }));
  if (!ctx.rg) return servers;
  return [
    ...servers,
    {
      name: 'rg',
      version: ctx.rg.version,
      command: `rg ${SAME_RULES.join(' ')} --files -g PATTERN | -j1 --count [-F] -e PATTERN`,
    },
  ];
}

function withoutPlace(text) {
  return text === process.execPath ? 'node' : text.replace(join(import.meta.dirname, '..') + '/', '');
}
