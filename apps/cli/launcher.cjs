#!/usr/bin/env node
'use strict';
// Starts the bundle beside this file with V8's code cache, because parsing and compiling take most of the start time. The
// cache files are in Croft's own base directory, where agents cannot write: one for each command, with the functions that this
// command uses, and one for help and refused command lines, which a command uses until it has its own. Their names change with
// the bundle and with Node. A missing, stale or unwritable cache only makes the start slower.
const [, , command, topic] = process.argv;
// Agents allow a call when their hook fails with any exit code other than 2.
const isHook = command === 'guard' && topic === 'hook';
const EXIT_FAILED = isHook ? 2 : 1;
const EXIT_USAGE = 2;
if (isHook)
  process.on('uncaughtException', () => {
    process.stderr.write('croft guard: the hook failed, so the call is blocked\n');
    process.exit(EXIT_FAILED);
  });
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`croft needs Node.js 20.19 or newer; this is ${process.versions.node}\n`);
  process.exit(EXIT_FAILED);
}
// Landlock does not cover io_uring, so restart without it. Older versions of Node have no execve, and a child process could
// not take over these streams: there Croft continues without the second sandbox, and `croft doctor` reports it.
if (process.env.UV_USE_IO_URING && typeof process.execve === 'function') {
  const { UV_USE_IO_URING: _, ...env } = process.env;
  process.execve(process.execPath, [process.execPath, ...process.execArgv, ...process.argv.slice(1)], env);
}
const fs = require('node:fs');
const path = require('node:path');
const vm = require('node:vm');

// The guard has a smaller bundle of its own, because agents start its hook before every tool call. Flows have their own bundle
// too, so that other commands do not load it.
const OWN_BUNDLES = { guard: 'guard', run: 'flow', chat: 'flow', flow: 'flow', components: 'flow' };
const asked = command === 'help' ? topic : command;
const part = Object.hasOwn(OWN_BUNDLES, asked ?? '') ? OWN_BUNDLES[asked] : 'main';
const BUNDLE_HASHES = { main: '__BUNDLE_HASH__', guard: '__GUARD_HASH__', flow: '__FLOW_HASH__' };
const bundle = path.join(__dirname, `croft-${part}.cjs`);
const base =
  process.env.CROFT_BASE_DIR?.trim() || path.join(process.env.HOME || require('node:os').homedir(), '.croft');
const cacheDirs = [base, path.join(base, 'cache')];
const cachePrefix = (hash) => `${hash}-${process.versions.v8}-${process.arch}-`;
const cacheFileOf = (name) => path.join(cacheDirs[1], `${cachePrefix(BUNDLE_HASHES[part])}${name}.bin`);
// The commands below `guard` and `flow` share little code.
const words = command === 'guard' || command === 'flow' ? [command, topic] : [command];
const own = words.every((word) => /^[a-z]+$/.test(word ?? '')) ? words.join('-') : 'help';

// Node has its own modules in a code cache too, which V8 rejects once a flag differs. So load those that a start needs before
// the flags change: compiling them takes a tenth of the start.
const needed = ['fs/promises', 'module', 'net', 'os', 'process', 'timers/promises'];
if (part !== 'guard') needed.push('crypto', 'perf_hooks');
for (const name of needed) require(`node:${name}`);

// @croft/workspace sets the same flags for regular expressions. Set them before compiling: V8 accepts a cache only with the
// flags that it was made with.
const v8 = require('node:v8');
v8.setFlagsFromString('--enable-experimental-regexp-engine');
v8.setFlagsFromString('--enable-experimental-regexp-engine-on-excessive-backtracks');
v8.setFlagsFromString('--regexp-backtracks-before-fallback=20000');
// Objects that loading makes are long-lived, so the young generation need not grow for them; V8 does not release memory that
// it once took. After the start the generation grows normally.
const STEADY = '--semi-space-growth-factor=1';
const GROWING = '--semi-space-growth-factor=2';
v8.setFlagsFromString(STEADY);
setTimeout(() => v8.setFlagsFromString(GROWING), 1_000).unref();

// The build ensures that the bundle is ASCII; latin1 needs no decoding.
const source = fs.readFileSync(bundle, 'latin1');
const ownCache = readCache(cacheFileOf(own));
const cachedData = ownCache ?? readCache(cacheFileOf('help'));
const script = new vm.Script(source, {
  filename: bundle,
  cachedData,
  importModuleDynamically: vm.constants?.USE_MAIN_CONTEXT_DEFAULT_LOADER,
});
// A script from a code cache cannot import modules itself: Node no longer knows its referrer.
const module_ = { exports: {}, importPackage: (name) => import(name), commandRuns: false };
if (!ownCache || script.cachedDataRejected) {
  // Written after the first work, so that the cache also has functions that were compiled lazily.
  const keep = (code) => {
    // A hook that blocks a call ends with the same code.
    const isRefused = code === EXIT_USAGE && !isHook;
    // Help and the version: the name of the command may be any word.
    const isHelp = isRefused || !module_.commandRuns;
    if (kept || (isHelp && cachedData && !script.cachedDataRejected)) return;
    kept = true;
    const cacheFile = cacheFileOf(isHelp ? 'help' : own);
    try {
      // One directory at a time: the recursive mkdir loops for ever below directories that accept no children, such as /proc.
      for (const dir of cacheDirs) if (!fs.existsSync(dir)) fs.mkdirSync(dir, { mode: 0o700 });
      if (!cacheDirs.every((dir) => isOurs(fs.lstatSync(dir), 'isDirectory', 0o022))) return;
      const temporary = `${cacheFile}.${process.pid}`;
      fs.rmSync(temporary, { force: true });
      v8.setFlagsFromString(STEADY);
      const data = script.createCachedData();
      v8.setFlagsFromString(GROWING);
      fs.writeFileSync(temporary, Buffer.concat([data, data]), { mode: 0o600, flag: 'wx' });
      fs.renameSync(temporary, cacheFile);
      const current = Object.values(BUNDLE_HASHES).map(cachePrefix);
      for (const name of fs.readdirSync(cacheDirs[1])) {
        if (name.endsWith('.bin') && !current.some((prefix) => name.startsWith(prefix)))
          fs.unlinkSync(path.join(cacheDirs[1], name));
      }
    } catch {
      // The home directory is read-only: every start compiles.
    }
  };
  let kept = false;
  setTimeout(() => keep(0), 1_500).unref();
  process.on('exit', keep);
}

/**
 * Reads a code cache. V8 does not check its content: a flipped bit would crash every start until the file is deleted. So
 * the file has the data twice, and is used only if both copies are equal; the module for a checksum takes longer to load. The
 * data is executed, so the file is used only if no other user could have written it.
 */
function readCache(cacheFile) {
  let fd;
  try {
    if (!cacheDirs.every((dir) => isOurs(fs.lstatSync(dir), 'isDirectory', 0o022))) return undefined;
    fd = fs.openSync(
      cacheFile,
      fs.constants.O_RDONLY | (fs.constants.O_NOFOLLOW ?? 0) | (fs.constants.O_NONBLOCK ?? 0),
    );
    if (!isOurs(fs.fstatSync(fd), 'isFile', 0o177)) return undefined;
    const file = fs.readFileSync(fd);
    const data = file.subarray(0, file.length / 2);
    return data.equals(file.subarray(data.length)) ? data : undefined;
  } catch {
    // The first start with this bundle: the file does not exist.
    return undefined;
  } finally {
    if (fd !== undefined) fs.closeSync(fd);
  }
}

/** Whether a directory or file is not a link, belongs to this user, and lacks the mode bits `others`. Windows has neither. */
function isOurs(stat, kind, others) {
  return stat[kind]() && (!process.getuid || (stat.uid === process.getuid() && (stat.mode & others) === 0));
}

script.runInThisContext()(module_.exports, require, module_, bundle, __dirname);
