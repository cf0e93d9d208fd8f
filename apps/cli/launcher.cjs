#!/usr/bin/env node
'use strict';
// Starts the bundle beside this file through V8's code cache: parsing and compiling is most of what a start costs.
// The cache lies in Croft's own base directory, where no agent can write, under a name that changes with the bundle
// and with Node; a missing, stale or unwritable cache only makes the start slower.
const [, , command, topic] = process.argv;
// Agents let a call through when their hook fails with any code but this one.
const isHook = command === 'guard' && topic === 'hook';
const EXIT_FAILED = isHook ? 2 : 1;
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
// Landlock does not cover what goes through io_uring, so there would be no second wall. Older Nodes have no execve, and
// a child could not take over these streams: there croft goes on without the wall, and doctor says so.
if (process.env.UV_USE_IO_URING && typeof process.execve === 'function') {
  const { UV_USE_IO_URING: _, ...env } = process.env;
  process.execve(process.execPath, [process.execPath, ...process.execArgv, ...process.argv.slice(1)], env);
}
const fs = require('node:fs');
const path = require('node:path');
const vm = require('node:vm');

// The guard has a smaller bundle of its own, because agents start its hook before every tool call. Flows have one too, so
// that no other command loads them.
const OWN_BUNDLES = { guard: 'guard', run: 'flow', flow: 'flow', components: 'flow' };
const asked = command === 'help' ? topic : command;
const part = Object.hasOwn(OWN_BUNDLES, asked ?? '') ? OWN_BUNDLES[asked] : 'main';
const BUNDLE_HASHES = { main: '__BUNDLE_HASH__', guard: '__GUARD_HASH__', flow: '__FLOW_HASH__' };
const bundle = path.join(__dirname, `croft-${part}.cjs`);
const base =
  process.env.CROFT_BASE_DIR?.trim() || path.join(process.env.HOME || require('node:os').homedir(), '.croft');
const cacheNameOf = (hash) => `${hash}-${process.versions.v8}-${process.arch}.bin`;
const cacheFile = path.join(base, 'cache', cacheNameOf(BUNDLE_HASHES[part]));
const cacheDirs = [base, path.dirname(cacheFile)];

// The same flags @croft/workspace sets for regular expressions, before anything is compiled: V8 takes a cache only with
// the flags it was made with.
const v8 = require('node:v8');
v8.setFlagsFromString('--enable-experimental-regexp-engine-on-excessive-backtracks');
v8.setFlagsFromString('--regexp-backtracks-before-fallback=20000');
// What loading makes lives on, so the young generation need not grow for it; room once taken is not given back. After
// the start it grows as ever.
const STEADY = '--semi-space-growth-factor=1';
const GROWING = '--semi-space-growth-factor=2';
v8.setFlagsFromString(STEADY);
setTimeout(() => v8.setFlagsFromString(GROWING), 1_000).unref();

// The bundle is plain ASCII (the build sees to it), and read as such it needs no decoding.
const source = fs.readFileSync(bundle, 'latin1');
const cachedData = readCache();
const script = new vm.Script(source, {
  filename: bundle,
  cachedData,
  importModuleDynamically: vm.constants?.USE_MAIN_CONTEXT_DEFAULT_LOADER,
});
if (!cachedData || script.cachedDataRejected) {
  // After the first work is done the cache also holds what was compiled on the way.
  const keep = () => {
    if (kept) return;
    kept = true;
    try {
      // One by one: the recursive form goes round for ever below directories that take no children, such as /proc.
      for (const dir of cacheDirs) if (!fs.existsSync(dir)) fs.mkdirSync(dir, { mode: 0o700 });
      if (!cacheDirs.every((dir) => isOurs(fs.lstatSync(dir), 'isDirectory', 0o022))) return;
      const temporary = `${cacheFile}.${process.pid}`;
      fs.rmSync(temporary, { force: true });
      v8.setFlagsFromString(STEADY);
      const data = script.createCachedData();
      v8.setFlagsFromString(GROWING);
      fs.writeFileSync(temporary, Buffer.concat([data, data]), { mode: 0o600, flag: 'wx' });
      fs.renameSync(temporary, cacheFile);
      const current = Object.values(BUNDLE_HASHES).map(cacheNameOf);
      for (const name of fs.readdirSync(path.dirname(cacheFile))) {
        if (name.endsWith('.bin') && !current.includes(name)) fs.unlinkSync(path.join(path.dirname(cacheFile), name));
      }
    } catch {
      // A read-only home: every start compiles.
    }
  };
  let kept = false;
  setTimeout(keep, 1_500).unref();
  process.on('exit', keep);
}

/**
 * V8 checks no content: a cache with a flipped bit would end every start in a crash until somebody deletes it. So it is
 * kept twice, and taken when both are the same: a checksum needs a module that takes longer to load. And what is in it
 * runs: it is taken only from where nobody else could have put it.
 */
function readCache() {
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
    // First start with this bundle.
    return undefined;
  } finally {
    if (fd !== undefined) fs.closeSync(fd);
  }
}

/** A real directory or file, no link, of this user, without the mode bits in `others`. Windows has neither. */
function isOurs(stat, kind, others) {
  return stat[kind]() && (!process.getuid || (stat.uid === process.getuid() && (stat.mode & others) === 0));
}

// A script from a code cache cannot import by itself: Node has forgotten for whom it was compiled.
const module_ = { exports: {}, importPackage: (name) => import(name) };
script.runInThisContext()(module_.exports, require, module_, bundle, __dirname);
