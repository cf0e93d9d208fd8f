import { afterEach, beforeEach } from 'vitest';
import { makeSurroundings, type Surroundings } from './surroundings.ts';
import type { Wire } from './wire.ts';

/**
 * Gives each test surroundings of its own: `setUp` gets them before the test. After the test, kills the wires that it put into the
 * returned list, and removes the surroundings.
 */
export function useSurroundings(setUp: (made: Surroundings) => unknown): Wire[] {
  let surroundings: Surroundings;
  const wires: Wire[] = [];
  beforeEach(async () => {
    surroundings = makeSurroundings();
    await setUp(surroundings);
  });
  afterEach(async () => {
    await Promise.all(wires.splice(0).map((wire) => wire.kill()));
    surroundings.remove();
  });
  return wires;
}
