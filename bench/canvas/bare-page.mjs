import { createServer } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const STYLE = `body { margin: 0; font: 13px sans-serif } #root { position: absolute }
.card { box-sizing: border-box; width: 248px; height: 150px; padding: 8px 12px; border: 1px solid #ccc; border-radius: 12px; background: #fff }
.card p { margin: 8px 0 0; padding-top: 8px; border-top: 1px solid #eee }
.react-flow__handle { width: 10px; height: 10px; border-radius: 9px; background: #2b6cb0 }`;

/**
 * Builds and serves the bare page. The address `/?flow=N` shows the flow that `flows` has under N.
 *
 * @param {Record<string, {flow: object, box: {width: number, height: number}, view: object, scale: object}>} flows
 */
export async function serveBare(flows) {
  const { outputFiles } = await build({
    entryPoints: [join(HERE, 'bare.tsx')],
    bundle: true,
    minify: true,
    write: false,
    outdir: HERE,
    format: 'iife',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  const text = (end) => outputFiles.find(({ path }) => path.endsWith(end))?.text ?? '';
  const server = createServer((request, response) => {
    const known = flows[new URL(request.url, 'http://bare').searchParams.get('flow')];
    if (known === undefined) return void response.writeHead(404).end();
    const { flow, box, view, scale } = known;
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    const data = JSON.stringify({ nodes: flow.nodes, edges: flow.edges, view, scale });
    response.end(`<!doctype html><title>bare</title><style>${text('.css')}${STYLE}
#root { left: ${box.x}px; top: ${box.y}px; width: ${box.width}px; height: ${box.height}px }</style>
<div id="root"></div><script>const BENCH = ${data};</script><script>${text('.js')}</script>`);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: (flow) => `http://127.0.0.1:${server.address().port}/?flow=${flow}`,
    stop: () => new Promise((resolve) => server.close(resolve)),
  };
}
