// The minimal proxy on node:http, against which the guard's cost is measured.
import * as http from 'node:http';

const upstream = new URL(process.argv[2]);
const agent = new http.Agent({ keepAlive: true, scheduling: 'lifo' });
const server = http.createServer({ keepAliveTimeout: 60_000 }, (req, res) => {
  const request = http.request(
    {
      host: upstream.hostname,
      port: upstream.port,
      method: req.method,
      path: req.url,
      headers: { ...req.headers, host: upstream.host },
      agent,
    },
    (reply) => {
      res.writeHead(reply.statusCode, reply.headers);
      reply.pipe(res);
    },
  );
  request.on('error', () => res.destroy());
  req.pipe(request);
});
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
