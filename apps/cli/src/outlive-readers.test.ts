import { afterEach, expect, it } from 'vitest';
import { outliveReaders } from './outlive-readers.ts';

const streams = [process.stdout, process.stderr];
const before = streams.map((stream) => stream.listeners('error'));
const added = () =>
  streams.map((stream, at) => stream.listeners('error').filter((each) => !before[at]?.includes(each)));
afterEach(() => {
  for (const [at, list] of added().entries()) for (const each of list) streams[at]?.off('error', each as () => void);
});

it('ignores a reader that is gone, and no other error', () => {
  outliveReaders();
  const listeners = added();
  expect(listeners.map((list) => list.length)).toEqual([1, 1]);
  for (const [listener] of listeners) {
    expect(() => listener?.(Object.assign(new Error('gone'), { code: 'EPIPE' }))).not.toThrow();
    expect(() => listener?.(Object.assign(new Error('full'), { code: 'ENOSPC' }))).toThrow('full');
  }
});
