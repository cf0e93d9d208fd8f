// The floor: an async loop that calls the same functions in order. node --expose-gc bare.mjs SHAPE COUNT
import { measureOnce } from './flow-of.mjs';

const count = Number(process.argv[3]);
const noop = async () => ({ out: 1 });
await measureOnce(async () => {
  let finished = 0;
  for (let i = 0; i < count; i += 1) {
    await noop();
    finished += 1;
  }
  return finished;
});
