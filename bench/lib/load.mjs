import { since } from './measure.mjs';

/**
 * Sends calls one after another or several at once, and returns calls per second. Checks every response for a mark that
 * only the right one contains: a wrong response fails the run.
 *
 * @param {import('./client.mjs').StdioClient} client
 * @param {{count: number, atOnce: number, call: (i: number) => [string, object], mark: (i: number) => Buffer}} load
 */
export async function callRate(client, { count, atOnce, call, mark }) {
  let next = 0;
  const lane = async () => {
    while (next < count) {
      const i = next++;
      const [tool, args] = call(i);
      const line = await client.call(tool, args);
      if (!line.includes(mark(i)) || line.includes(REFUSED)) {
        throw new Error(
          `wrong answer to ${tool} ${JSON.stringify(args).slice(0, 200)}: ${line.toString('utf8', 0, 400)}`,
        );
      }
    }
  };
  const start = process.hrtime.bigint();
  await Promise.all(Array.from({ length: atOnce }, lane));
  return count / (since(start) / 1e3);
}

const REFUSED = Buffer.from('"isError":true');
