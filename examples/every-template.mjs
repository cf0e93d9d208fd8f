// Every template, without a key: written with `croft flow new --with-files` and run with `croft run`, from the packed tarball in
// an empty home.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { installCroft, makeStage } from './installed-croft.mjs';

const stage = makeStage();
// Pages and feeds of the templates that need the network.
const pages = createServer(({ url }, response) => {
  if (url === '/feed.xml')
    response.end('<rss><channel><item><title>First</title><link>https://e.org/1</link></item></channel></rss>');
  else if (url === '/items') response.setHeader('content-type', 'application/json').end('{"items":["Wool"]}');
  else response.setHeader('content-type', 'text/html').end('<title>Page</title><h1>Stone walls</h1><p>They hold.</p>');
});
pages.listen(0, '127.0.0.1');
await once(pages, 'listening');
const host = `127.0.0.1:${pages.address().port}`;
const KEYS = /_API_KEY$|_BASE_URL$/;
const keyless = Object.fromEntries(Object.entries(stage.env).filter(([name]) => !KEYS.test(name)));
const env = { ...keyless, OLLAMA_BASE_URL: '' };

async function croft(cwd, ...args) {
  const child = spawn(process.execPath, [bin, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  assert.equal(code, 0, `croft ${args.join(' ')}: ${err}`);
  return { out, err };
}

let bin;
try {
  bin = installCroft(stage);
  const templates = JSON.parse((await croft(stage.home, 'flow', 'templates', '--json')).out);
  for (const { name, input, needsNetwork } of templates) {
    const dir = join(stage.base, 'templates', name);
    mkdirSync(dir, { recursive: true });
    await croft(dir, 'flow', 'new', name, '--out', 'a.flow', '--with-files');
    const local = (text) => text.replace('https://example.com', `http://${host}`);
    writeFileSync(join(dir, 'a.flow'), local(readFileSync(join(dir, 'a.flow'), 'utf8')));
    const given = input === undefined ? [] : ['--input', local(input)];
    const { out, err } = await croft(dir, 'run', 'a.flow', ...given, ...(needsNetwork ? ['--allow-host', host] : []));
    assert.ok(out.trim() !== '' && !err.includes('failed'), `${name}: ${out}${err}`);
  }
  assert.ok(templates.length >= 12, `${templates.length} templates`);
  console.log(`${templates.length} templates: each written and run to a result, without a key`);
} finally {
  pages.close();
  stage.remove();
}
