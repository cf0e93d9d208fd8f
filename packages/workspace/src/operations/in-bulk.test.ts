import { existsSync, readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { openAmbientRoot } from '../enclosure.ts';
import { codeOf } from '../testing.ts';
import { useEnclosures } from '../use-enclosures.ts';
import { inBulk } from './in-bulk.ts';

const open = useEnclosures();

it.each(['done', 'failed'])(
  'keeps both roots open until an operation is %s, also when the workspace closes',
  async (end) => {
    const { enclosure } = open(['f'], () => ({ ambient: openAmbientRoot() }));
    const selves = [enclosure.root.dir.self, enclosure.ambient?.dir.self as string];
    const running = inBulk(enclosure, undefined, async () => {
      enclosure.root.close();
      enclosure.ambient?.close();
      expect(readdirSync(`${selves[0]}/.`)).toEqual(['f']);
      expect(selves.map((self) => existsSync(self))).toEqual([true, true]);
      if (end === 'failed') throw new Error('failed');
      return 'done';
    });
    expect(await running.catch((error: Error) => error.message)).toBe(end);
    expect(selves.map((self) => existsSync(self))).toEqual([false, false]);
  },
);

it("is cancelled by the caller's signal and by the closing of the workspace", async () => {
  const [caller, closing] = [new AbortController(), new AbortController()];
  const { enclosure } = open([], { closing: closing.signal });
  const pausing = () => codeOf(() => inBulk(enclosure, caller.signal, async (pace) => pace.check()));
  expect(await pausing()).toBe('done');
  caller.abort();
  expect(await pausing()).toBe('cancelled');
  closing.abort();
  expect(await codeOf(() => inBulk(enclosure, undefined, async (pace) => pace.check()))).toBe('cancelled');
});
