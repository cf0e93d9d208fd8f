import { FakeError } from './fake-error.ts';

interface Node {
  /** A folder has none. */
  bytes?: Buffer;
  modifiedAt: string;
}

/** Files of one root, in memory, by the words of the server's contract. */
export class FakeFiles {
  readonly nodes = new Map<string, Node>();
  limitBytes: number | null;
  /** The trash does not keep larger files. */
  trashBytes = Number.POSITIVE_INFINITY;
  private readonly trash = new Map<string, { nodes: [string, Node][]; made?: string }>();
  private undos = 0;

  constructor(files: Record<string, Buffer | string>, limitBytes: number | null, now = Date.now()) {
    this.limitBytes = limitBytes;
    for (const [index, [path, content]] of Object.entries(files).entries()) {
      const parts = path.split('/');
      for (let depth = 1; depth < parts.length; depth++)
        if (!this.nodes.has(parts.slice(0, depth).join('/')))
          this.nodes.set(parts.slice(0, depth).join('/'), { modifiedAt: new Date(now - 9 * 86_400_000).toISOString() });
      this.nodes.set(path, {
        bytes: Buffer.from(content as string),
        modifiedAt: new Date(now - (index * 31 + 4) * 3_600_000).toISOString(),
      });
    }
  }

  usedBytes(): number {
    return [...this.nodes.values()].reduce((sum, { bytes }) => sum + (bytes?.length ?? 0), 0);
  }

  quota() {
    return { usedBytes: this.usedBytes(), limitBytes: this.limitBytes };
  }

  list(path: string) {
    if (path !== '' && this.nodes.get(path)?.bytes) throw new FakeError(400, 'not_a_folder', `${path} is a file.`);
    if (path !== '' && !this.nodes.has(path))
      throw new FakeError(404, 'not_found', `There is no folder ${path}. It may have been moved or deleted.`);
    const prefix = path === '' ? '' : `${path}/`;
    const entries = [...this.nodes]
      .filter(([name]) => name.startsWith(prefix) && name !== path && !name.slice(prefix.length).includes('/'))
      .map(([name, { bytes, modifiedAt }]) => ({
        name: name.slice(prefix.length),
        path: name,
        type: bytes ? 'file' : 'dir',
        size: bytes ? bytes.length : null,
        modifiedAt,
      }));
    return { path, entries, truncated: false };
  }

  read(path: string): Buffer {
    const bytes = this.nodes.get(path)?.bytes;
    if (!bytes) throw new FakeError(404, 'not_found', `There is no file ${path}. It may have been moved or deleted.`);
    return bytes;
  }

  write(path: string, bytes: Buffer, overwrite: boolean, permanent = false) {
    if (this.nodes.has(path) && !overwrite)
      throw new FakeError(409, 'exists', `${path} is already there. Say overwrite to replace it.`);
    const old = this.nodes.get(path);
    const isKept = this.keeps([old], permanent, path);
    const after = this.usedBytes() - (this.nodes.get(path)?.bytes?.length ?? 0) + bytes.length;
    if (this.limitBytes !== null && after > this.limitBytes)
      throw new FakeError(507, 'quota_exceeded', 'There is no room left. Delete something, then try again.');
    const modifiedAt = new Date().toISOString();
    const parts = path.split('/');
    for (let depth = 1; depth < parts.length; depth++) {
      const folder = parts.slice(0, depth).join('/');
      if (!this.nodes.has(folder)) this.nodes.set(folder, { modifiedAt });
    }
    this.nodes.set(path, { bytes, modifiedAt });
    return { path, size: bytes.length, ...(isKept && { undo: this.keep(old ? [[path, old]] : [], path) }) };
  }

  mkdir(path: string) {
    if (this.nodes.has(path)) throw new FakeError(409, 'exists', 'This name is taken. Choose another.');
    this.nodes.set(path, { modifiedAt: new Date().toISOString() });
    return { path };
  }

  move(from: string, to: string) {
    if (this.nodes.has(to)) throw new FakeError(409, 'exists', 'This name is taken. Choose another.');
    for (const [path, node] of this.allAt(from)) {
      this.nodes.delete(path);
      this.nodes.set(to + path.slice(from.length), node);
    }
    return { path: to };
  }

  remove(paths: readonly string[], permanent = false) {
    const all = paths.flatMap((path) => this.allAt(path));
    const isKept = this.keeps(
      all.map(([, node]) => node),
      permanent,
      paths.length === 1 ? (paths[0] ?? '') : `These ${paths.length} entries`,
    );
    for (const [path] of all) this.nodes.delete(path);
    return { path: paths[0], ...(isKept && { undo: this.keep(all) }) };
  }

  undo(undo: string) {
    const kept = this.trash.get(undo);
    if (!kept) return undefined;
    this.trash.delete(undo);
    if (kept.made !== undefined) this.nodes.delete(kept.made);
    for (const [path, node] of kept.nodes) this.nodes.set(path, node);
    return { path: kept.nodes[0]?.[0] ?? kept.made ?? '' };
  }

  private keep(nodes: [string, Node][], made?: string): string {
    this.undos += 1;
    const undo = `undo-${this.undos}`;
    this.trash.set(undo, { nodes, ...(made !== undefined && { made }) });
    return undo;
  }

  private keeps(nodes: readonly (Node | undefined)[], permanent: boolean, what: string): boolean {
    const bytes = nodes.reduce((sum, node) => sum + (node?.bytes?.length ?? 0), 0);
    if (bytes <= this.trashBytes) return true;
    if (permanent) return false;
    const why = `${bytes} bytes are more than the trash can keep (${this.trashBytes})`;
    const message = `${what} could not be restored afterwards: ${why}. Nothing was changed.`;
    throw new FakeError(409, 'not_undoable', message);
  }

  search(q: string, where: string) {
    const words = q.toLowerCase();
    const matches: { path: string; line?: number; text?: string }[] = [];
    for (const [path, { bytes }] of this.nodes) {
      if (where === 'name') {
        if (
          path
            .slice(path.lastIndexOf('/') + 1)
            .toLowerCase()
            .includes(words)
        )
          matches.push({ path });
        continue;
      }
      if (!bytes || bytes.includes(0)) continue;
      for (const [index, text] of bytes.toString().split('\n').entries())
        if (text.toLowerCase().includes(words)) matches.push({ path, line: index + 1, text });
    }
    return { matches: matches.slice(0, 100), truncated: matches.length > 100 };
  }

  private allAt(path: string): [string, Node][] {
    const taken = [...this.nodes].filter(([name]) => name === path || name.startsWith(`${path}/`));
    if (taken.length === 0) throw new FakeError(404, 'not_found', `${path} is not there any more.`);
    return taken;
  }
}
