import { createServer, request as httpRequest } from 'node:http';

const BATCHES_A_SECOND = 100;

/**
 * Passes requests on to the server, and plays a run of a flow that sends many events: a page that opens the flow finds the run
 * under way and follows it.
 *
 * @param {string} target the address of the server
 * @param {string} flowId
 * @param {string[]} nodeIds
 * @param {number} perSecond events
 */
export async function serveEvents(target, flowId, nodeIds, perSecond) {
  const { host, hostname, port } = new URL(target);
  let sent = 0;
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url, target);
    if (pathname.endsWith('/api/v1/runs') && searchParams.get('flow') === flowId)
      return void response.setHeader('Content-Type', 'application/json').end(JSON.stringify({ runs: [RUN] }));
    if (pathname.endsWith(`/api/v1/runs/${RUN.id}/events`)) return play(request, response);
    const headers = { ...request.headers, host, ...(request.headers.origin && { origin: new URL(target).origin }) };
    const passed = httpRequest({ hostname, port, path: request.url, method: request.method, headers }, (answer) => {
      response.writeHead(answer.statusCode, answer.headers);
      answer.pipe(response);
    });
    passed.on('error', () => response.destroy());
    request.pipe(passed);
    response.on('close', () => passed.destroy());
  });
  function play(request, response) {
    response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
    const write = (event) => response.write(`event: ${event.kind}\ndata: ${JSON.stringify(event)}\n\n`);
    write({ kind: 'run_started', nodes: nodeIds.length });
    let at = 0;
    const timer = setInterval(() => {
      response.cork();
      for (let n = 0; n < perSecond / BATCHES_A_SECOND; n++) {
        write(eventAt(at++, nodeIds));
        sent += 1;
      }
      response.uncork();
    }, 1_000 / BATCHES_A_SECOND);
    request.on('close', () => clearInterval(timer));
  }
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    sent: () => sent,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const RUN = {
  id: 'bench-run',
  status: 'running',
};

/** Twenty events a component: it starts, streams, reports progress and ends. */
function eventAt(at, nodeIds) {
  const node = nodeIds[Math.floor(at / 20) % nodeIds.length];
  const step = at % 20;
  const of = { node, path: '' };
  if (step === 0) return { kind: 'node_started', ...of, inputs: {} };
  if (step === 19)
    return { kind: 'node_finished', ...of, ms: 12, source: 'computed', outputs: { prompt: { text: `done ${at}` } } };
  if (step % 5 === 0) return { kind: 'progress', ...of, done: step, total: 20 };
  return { kind: 'token', ...of, text: `word ${at} ` };
}
