// The unprotected twins: each operation as it is usually written, "resolve, compare with the root, then use the path".
// They show that an attack works; a cell whose twin never escapes proves nothing.
import {
  chmodSync,
  copyFileSync,
  lstatSync,
  mkdirSync,
  promises,
  readdirSync,
  readFileSync,
  renameSync,
  unlinkSync,
  writeFileSync,
  appendFileSync,
  realpathSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/** The same calls by value or by promise: the twins await both. The race window is between two awaits. */
const byValue = {
  realpath: realpathSync.native,
  readFile: readFileSync,
  writeFile: writeFileSync,
  appendFile: appendFileSync,
  mkdir: mkdirSync,
  chmod: chmodSync,
  lstat: lstatSync,
  readdir: readdirSync,
  rename: renameSync,
  copyFile: copyFileSync,
  unlink: unlinkSync,
};

/**
 * @param checks `false` for the `..` flip: there the kernel's resolution itself escapes, and a check before it only makes that
 *   rarer
 */
export function makeTwins(root, checks) {
  const fs = checks ? promises : byValue;

  async function allowed(path) {
    const full = join(root, path);
    if (!checks) return full;
    let real;
    try {
      real = await fs.realpath(full);
    } catch {
      real = await fs.realpath(dirname(full));
    }
    if (real !== root && !real.startsWith(`${root}/`)) throw new Error('refused');
    return full;
  }

  async function walk(dir, onFile) {
    const seen = [];
    for (const entry of await fs.readdir(dir, { withFileTypes: true })) {
      const at = `${dir}/${entry.name}`;
      seen.push(entry.name);
      if (entry.isDirectory()) seen.push(...(await walk(at, onFile)));
      else if (entry.isFile() && onFile) seen.push(await onFile(at));
    }
    return seen;
  }

  async function copyTree(from, to) {
    await fs.mkdir(to);
    for (const entry of await fs.readdir(from, { withFileTypes: true })) {
      if (entry.isDirectory()) await copyTree(`${from}/${entry.name}`, `${to}/${entry.name}`);
      else if (entry.isFile()) await fs.copyFile(`${from}/${entry.name}`, `${to}/${entry.name}`);
    }
  }

  async function removeTree(dir) {
    for (const entry of await fs.readdir(dir, { withFileTypes: true })) {
      if (entry.isDirectory()) await removeTree(`${dir}/${entry.name}`);
      else await fs.unlink(`${dir}/${entry.name}`);
    }
  }

  return {
    read: async (path) => fs.readFile(await allowed(path), 'utf8'),
    write: async (path, text) => fs.writeFile(await allowed(path), text),
    append: async (path, text) => fs.appendFile(await allowed(path), text),
    async edit(path, from, to) {
      const at = await allowed(path);
      const text = await fs.readFile(at, 'utf8');
      await fs.writeFile(at, text.replace(from, to));
      return text;
    },
    // Like `mkdir -p -m` and many libraries: create the directory if it is missing, then set its mode.
    async createDir(path) {
      const at = await allowed(path);
      try {
        await fs.mkdir(at, { recursive: true });
      } catch (error) {
        if (error.code !== 'EEXIST') throw error;
      }
      await fs.chmod(at, 0o755);
    },
    move: async (from, to) => fs.rename(await allowed(from), await allowed(to)),
    /** A move across file systems. rename(2) itself never follows a link in the last component. */
    async moveByCopy(from, to) {
      const source = await allowed(from);
      await fs.copyFile(source, await allowed(to));
      await fs.unlink(source);
    },
    async copy(from, to) {
      const source = await allowed(from);
      const target = await allowed(to);
      if ((await fs.lstat(source)).isDirectory()) await copyTree(source, target);
      else await fs.copyFile(source, target);
    },
    async remove(path) {
      const at = await allowed(path);
      if ((await fs.lstat(at)).isDirectory()) await removeTree(at);
      else await fs.unlink(at);
    },
    list: async (path) => fs.readdir(await allowed(path)),
    walk: async (path) => walk(await allowed(path)),
    async grep(path, text) {
      const at = await allowed(path);
      const look = async (file) => {
        const found = await fs.readFile(file, 'utf8');
        return found.includes(text) ? found : '';
      };
      return (await fs.lstat(at)).isDirectory() ? walk(at, look) : look(at);
    },
  };
}
