// Load generator in a process of its own: `{mode, requests, concurrency, port, delay}` in, latencies out.
import * as http from 'node:http';

const BODY = JSON.stringify({
  model: 'gpt-bench',
  stream: true,
  messages: [{ role: 'user', content: 'x'.repeat(2000) }],
});
const agent = new http.Agent({ keepAlive: true, scheduling: 'lifo' });

function one({ port, mode, delay }) {
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
        },
      },
      (reply) => {
        let first = 0;
        let bytes = 0;
        reply.on('data', (chunk) => {
          first ||= performance.now() - start;
          bytes += chunk.length;
        });
        reply.on('end', () => resolve({ status: reply.statusCode, bytes, first, total: performance.now() - start }));
        reply.on('error', reject);
      },
    );
    request.on('error', reject);
    request.end(BODY);
  });
}

process.on('message', async (job) => {
  const results = [];
  let left = job.requests;
  const start = performance.now();
  await Promise.all(
    Array.from({ length: job.concurrency }, async () => {
      while (left-- > 0) results.push(await one(job));
    }),
  );
  const seconds = (performance.now() - start) / 1000;
  const bad = results.filter((result) => result.status !== 200).length;
  const sorted = (name) => results.map((result) => result[name]).sort((a, b) => a - b);
  const at = (list, share) => list[Math.min(list.length - 1, Math.floor(list.length * share))];
  process.send({
    rps: job.requests / seconds,
    bad,
    bytes: results[0].bytes,
    first50: at(sorted('first'), 0.5),
    total50: at(sorted('total'), 0.5),
    total95: at(sorted('total'), 0.95),
  });
});
