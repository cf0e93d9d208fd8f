// A fake model in a process of its own: streams a canned reply, or sends a canned body.
import * as http from 'node:http';
import { REPLIES } from './replies.mjs';

const server = http.createServer({ keepAliveTimeout: 60_000 }, (req, res) => {
  req.resume();
  req.on('end', () => void reply(res, req.headers['x-mode'] ?? 'sse', Number(req.headers['x-delay'] ?? 0)));
});

async function reply(res, mode, delay) {
  const body = REPLIES[mode];
  if (typeof body === 'string') {
    res.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
    return res.end(body);
  }
  res.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  for (const piece of body) {
    res.write(piece);
    await new Promise((done) => (delay > 0 ? setTimeout(done, delay) : setImmediate(done)));
  }
  res.end();
}

server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
