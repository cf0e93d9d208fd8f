// `croft guard serve` in a real repository, an SDK's own tool loop as its client, and a model that tries to leave.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname, join, resolve } from 'node:path';
import OpenAI from 'openai';
import { stop, untilPrinted } from './child.mjs';
import { installCroft, makeStage } from './installed-croft.mjs';
import { createTranscript } from './transcript.mjs';

const stage = makeStage();
const transcript = createTranscript('guard-session', { [stage.project]: '~/project', [stage.home]: '~' });
const model = await startModel();
let guard;
try {
  const bin = installCroft(stage);
  execFileSync('git', ['init', '-q'], { cwd: stage.project });
  const upstream = `http://127.0.0.1:${model.address().port}`;
  transcript.say('~/project$ croft guard serve --upstream http://the-model');
  guard = spawn(process.execPath, [bin, 'guard', 'serve', '--upstream', upstream, '--port', '0'], {
    cwd: stage.project,
    env: stage.env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const banner = await untilPrinted(guard, /Decisions .*\n.*\n/);
  transcript.say(banner.replace(upstream, 'http://the-model').trim());

  const client = new OpenAI({ apiKey: 'sk-example', baseURL: /OPENAI_BASE_URL=(\S+)/.exec(banner)[1] });
  const runner = client.chat.completions.runTools({
    model: 'example-model',
    stream: true,
    messages: [{ role: 'user', content: 'Say in a note who may log in here.' }],
    tools: toolsOf(stage.project),
  });
  runner.on('functionToolCall', ({ name, arguments: given }) => transcript.say(`the agent runs ${name} ${given}`));
  transcript.say(`the model ends with: ${await runner.finalContent()}`);

  assert.equal(existsSync(join(stage.home, '.ssh')), false);
  assert.match(readFileSync(join(stage.project, 'notes/access.md'), 'utf8'), /to be decided/);

  const oneTime = /http:\S+open\?code=\S+/.exec(banner)[0];
  const key = /'croft-guard',"([^"]+)"/.exec(await (await fetch(oneTime)).text())[1];
  const shown = await fetch(new URL('/guard/decisions?decision=block', oneTime), { headers: { 'X-Croft-Key': key } });
  const { decisions } = await shown.json();
  assert.equal(decisions.length, 1);
  const [{ tool, rule, reason }] = decisions;
  transcript.say(`the page says: ${tool} blocked (${rule}): ${reason}`);
  transcript.keep();
} finally {
  if (guard) await stop(guard);
  model.close();
  stage.remove();
}

/** The agent's tools: they write anywhere, without checks. */
function toolsOf(project) {
  const tool = (name, properties, run) => ({
    type: 'function',
    function: {
      name,
      parse: JSON.parse,
      function: run,
      parameters: {
        type: 'object',
        properties: Object.fromEntries(properties.map((key) => [key, { type: 'string' }])),
      },
    },
  });
  return [
    tool('read_file', ['path'], ({ path }) => readFileSync(resolve(project, path), 'utf8').slice(0, 200)),
    tool('bash', ['command'], ({ command }) => execFileSync('sh', ['-c', command], { cwd: project, encoding: 'utf8' })),
    tool('write_file', ['path', 'content'], ({ path, content }) => {
      mkdirSync(dirname(resolve(project, path)), { recursive: true });
      writeFileSync(resolve(project, path), content);
      return 'written';
    }),
  ];
}

/** A model that follows a script: it looks around, tries the wrong file, and reads the refusal. */
function startModel() {
  const script = (messages) => {
    const last = messages.at(-1);
    if (last.role === 'user')
      return [
        ['read_file', { path: 'workspace/README.md' }],
        ['bash', { command: 'ls -a | head -3 2>/dev/null' }],
      ];
    if (/Refused/.test(last.content)) {
      transcript.say(`the model reads: ${last.content}`);
      return [['write_file', { path: 'notes/access.md', content: 'to be decided\n' }]];
    }
    if (messages.some(({ content }) => content === 'written')) return 'The note is in notes/access.md.';
    return [['write_file', { path: join(stage.home, '.ssh/authorized_keys'), content: 'ssh-ed25519 AAAA\n' }]];
  };
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (part) => (body += part));
    request.on('end', () => {
      const answer = script(JSON.parse(body).messages);
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      for (const [delta, finish] of chunksOf(answer)) {
        const choices = [{ index: 0, delta, finish_reason: finish ?? null }];
        response.write(
          `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'example-model', choices })}\n\n`,
        );
      }
      response.end('data: [DONE]\n\n');
    });
  });
  return new Promise((done) => server.listen(0, '127.0.0.1', () => done(server)));
}

function chunksOf(answer) {
  if (typeof answer === 'string') return [[{ role: 'assistant', content: answer }], [{}, 'stop']];
  const calls = answer.flatMap(([name, given], index) => {
    const text = JSON.stringify(given);
    return [
      [
        {
          tool_calls: [
            {
              index,
              id: `call_${Math.random().toString(36).slice(2)}`,
              type: 'function',
              function: { name, arguments: '' },
            },
          ],
        },
      ],
      [{ tool_calls: [{ index, function: { arguments: text.slice(0, 9) } }] }],
      [{ tool_calls: [{ index, function: { arguments: text.slice(9) } }] }],
    ];
  });
  return [[{ role: 'assistant', content: null }], ...calls, [{}, 'tool_calls']];
}
