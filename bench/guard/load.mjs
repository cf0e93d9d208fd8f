// Load generator in a process of its own: `{mode, requests, concurrency, port, delay, headers}` in, latencies out.
// Every reply must equal the upstream's, byte for byte.
import * as http from 'node:http';
import { bytesOf } from './replies.mjs';

const BODY = JSON.stringify({
  model: 'gpt-bench',
  stream: true,
  messages: [{ role: 'user', content: 'x'.repeat(2000) }],
});
const agent = new http.Agent({ keepAlive: true, scheduling: 'lifo' });

function one({ port, mode, delay, headers }, wanted) {
  return new Promise((resolve, reject) => {
    const start = performance.now();
    const request = http.request(
      {
        host: '127.0.0.1',
        port,
        method: 'POST',
        path: '/v1/chat/completions',
        agent,
        headers: {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(BODY),
          authorization: 'Bearer sk-bench',
          'user-agent': 'bench',
          accept: '*/*',
          'x-mode': mode,
          'x-delay': String(delay ?? 0),
          ...headers,
        },
      },
      (reply) => {
        let first = 0;
        const chunks = [];
        reply.on('data', (chunk) => {
          first ||= performance.now() - start;
          chunks.push(chunk);
        });
        reply.on('end', () => {
          const total = performance.now() - start;
          const isRight = reply.statusCode === 200 && Buffer.concat(chunks).equals(wanted);
          resolve({ isRight, first, total });
        });
        reply.on('error', reject);
      },
    );
    request.on('error', reject);
    request.end(BODY);
  });
}

process.on('message', (job) => {
  run(job).then(
    (found) => process.send(found),
    (error) => process.send({ error: error.message }),
  );
});

async function run(job) {
  const wanted = bytesOf(job.mode);
  const results = [];
  let left = job.requests;
  const start = performance.now();
  await Promise.all(
    Array.from({ length: job.concurrency }, async () => {
      while (left-- > 0) results.push(await one(job, wanted));
    }),
  );
  const seconds = (performance.now() - start) / 1000;
  const sorted = (name) => results.map((result) => result[name]).sort((a, b) => a - b);
  const at = (list, share) => list[Math.min(list.length - 1, Math.floor(list.length * share))];
  return {
    rps: job.requests / seconds,
    bad: results.filter((result) => !result.isRight).length,
    first50: at(sorted('first'), 0.5),
    total50: at(sorted('total'), 0.5),
    total95: at(sorted('total'), 0.95),
  };
}
