import { join } from 'node:path';
import { callOn, initialize, openWire, runCroft, type Surroundings, useSurroundings } from '@croft/mcp/testing';

/** A day of an agent: changes of each kind, a read, and a refused path. */
export const DAY = [
  ['write_file', { path: 'a.txt', content: 'first' }],
  ['edit_file', { path: 'a.txt', old_string: 'first', new_string: 'second' }],
  ['create_dir', { path: 'dir' }],
  ['move_path', { source: 'a.txt', destination: 'dir/b.txt' }],
  ['copy_path', { source: 'dir/b.txt', destination: 'c.txt' }],
  ['read_file', { path: 'c.txt' }],
  ['read_file', { path: '/etc/passwd' }],
  ['delete_path', { path: 'dir', recursive: true }],
] as [string, object][];

/** For tests: a workspace of its own, the agents that work in it, and the commands that a person runs beside them. */
export function useAgents() {
  let surroundings: Surroundings;
  useSurroundings((made) => {
    surroundings = made;
  });
  return {
    surroundings: () => surroundings,
    at: (name: string) => join(surroundings.workspace, name),
    run: (...args: string[]) => runCroft([...args, '--dir', surroundings.workspace], { env: surroundings.env }),
    /** Runs an agent that makes these calls and ends. */
    async agent(calls: readonly [string, object][]): Promise<void> {
      const wire = openWire(['mcp', surroundings.workspace], { env: surroundings.env });
      await initialize(wire);
      for (const [name, input] of calls) await callOn(wire, name, input);
      wire.child.stdin?.end();
      await wire.ended;
    },
  };
}
