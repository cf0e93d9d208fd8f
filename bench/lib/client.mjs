import { spawn } from 'node:child_process';

const NEWLINE = 10;
const STDERR_KEPT = 4_000;

/**
 * A minimal MCP client over stdio, the same for all servers, so that its cost is equal. Returns responses as raw lines,
 * which callers decode if needed.
 */
export class StdioClient {
  #waiting = new Map();
  #nextId = 1;
  #rest = [];
  #failure;
  #stderr = '';

  /**
   * @param {string[]} command
   * @param {{cwd?: string, env?: Record<string, string>}} [options]
   */
  constructor(command, options = {}) {
    this.command = command;
    this.child = spawn(command[0], command.slice(1), {
      stdio: ['pipe', 'pipe', 'pipe'],
      cwd: options.cwd,
      env: { ...process.env, ...options.env },
    });
    this.pid = this.child.pid;
    this.child.stdout.on('data', (chunk) => this.#onData(chunk));
    this.child.stderr.on('data', (chunk) => {
      this.#stderr = (this.#stderr + chunk).slice(-STDERR_KEPT);
    });
    this.child.stdin.on('error', (error) => this.#fail(error));
    this.child.on('error', (error) => this.#fail(error));
    this.exited = new Promise((resolve) => this.child.once('exit', (code, signal) => resolve({ code, signal })));
    void this.exited.then(({ code, signal }) => this.#fail(new Error(`the server ended (${code ?? signal})`)));
  }

  /** Sends a request and returns the whole response as an undecoded line. */
  request(method, params) {
    if (this.#failure) return Promise.reject(this.#failure);
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    });
  }

  call(name, args) {
    return this.request('tools/call', { name, arguments: args });
  }

  /** Opens the session in the form that every peer supports. */
  async initialize() {
    const answer = await this.request('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'croft-bench', version: '1.0.0' },
    });
    this.child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
    return decode(answer);
  }

  /** Ends the server by closing its input, as a client does; kills it if that does not work. */
  async close() {
    this.#failure ??= new Error('closed');
    this.child.stdin.end();
    const timer = setTimeout(() => this.child.kill('SIGKILL'), 2_000);
    await this.exited;
    clearTimeout(timer);
  }

  #onData(chunk) {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
      const part = chunk.subarray(from, end);
      const line = this.#rest.length === 0 ? part : Buffer.concat([...this.#rest, part]);
      this.#rest = [];
      from = end + 1;
      this.#onLine(line);
    }
    if (from < chunk.length) this.#rest.push(chunk.subarray(from));
  }

  #onLine(line) {
    const id = idOf(line);
    const waiting = id === undefined ? undefined : this.#waiting.get(id);
    if (!waiting) return;
    this.#waiting.delete(id);
    waiting.resolve(line);
  }

  #fail(error) {
    if (!this.#failure) {
      this.#failure = new Error(`${error.message}: ${this.command.join(' ')}\n${this.#stderr}`);
    }
    for (const { reject } of this.#waiting.values()) reject(this.#failure);
    this.#waiting.clear();
  }
}

/** The id of a response. The SDKs write it first or last in the line; otherwise the line is decoded. */
function idOf(line) {
  const match =
    /^\{(?:"jsonrpc":"2\.0",)?"id":(\d+)[,}]/.exec(line.toString('latin1', 0, 40)) ??
    /,"id":(\d+)\}\r?$/.exec(line.toString('latin1', Math.max(0, line.length - 24)));
  if (match) return Number(match[1]);
  try {
    return JSON.parse(line.toString('utf8')).id;
  } catch {
    return undefined;
  }
}

/** The result of a decoded response. Throws a protocol error. */
export function decode(line) {
  const answer = JSON.parse(line.toString('utf8'));
  if (answer.error) throw new Error(`protocol error: ${JSON.stringify(answer.error)}`);
  return answer.result;
}

/** The text of a tool's response. Throws a tool's refusal: no row measures the speed of refusals. */
export function textOf(line) {
  const result = decode(line);
  const text = (result.content ?? []).map((part) => part.text ?? '').join('\n');
  if (result.isError) throw new Error(`the tool refused: ${text.slice(0, 300)}`);
  return text;
}

/** The response of a tool as an object, if possible: structured, or JSON in its text; else the text itself. */
export function answerOf(line) {
  const text = textOf(line);
  const { structuredContent } = decode(line);
  if (structuredContent && typeof structuredContent.content !== 'string') return structuredContent;
  try {
    return JSON.parse(text);
  } catch {
    return structuredContent ?? text;
  }
}
