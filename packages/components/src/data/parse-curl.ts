import { ComponentError } from '../services.ts';

/** The request of a curl command. */
export interface CurlRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly followRedirects: boolean;
}

/** Options without an effect on the request, by their number of arguments. */
const IGNORED: Readonly<Record<string, 0 | 1>> = {
  '-s': 0,
  '--silent': 0,
  '-S': 0,
  '--show-error': 0,
  '-v': 0,
  '--verbose': 0,
  '-i': 0,
  '--include': 0,
  '-f': 0,
  '--fail': 0,
  '--compressed': 0,
  '--http1.1': 0,
  '--http2': 0,
  '-N': 0,
  '--no-buffer': 0,
  '-m': 1,
  '--max-time': 1,
  '--connect-timeout': 1,
  '--retry': 1,
};

/** Short options whose argument may follow without a space. */
const TAKES_ARGUMENT = /^-[XHdAebum]./;

interface Parsed {
  url?: string;
  method?: string;
  headers: Record<string, string>;
  data: string[];
  isGet: boolean;
  isHead: boolean;
  followRedirects: boolean;
}

/**
 * Parses a curl command as a browser or an API's documentation prints it. Runs nothing and reads no file.
 *
 * @throws ComponentError for an option that cannot be taken over, such as `--insecure`, `--form` or `--data @file`
 */
export function parseCurl(command: string): CurlRequest {
  const words = splitWords(command).flatMap((word) =>
    TAKES_ARGUMENT.test(word) && !word.startsWith('--') ? [word.slice(0, 2), word.slice(2)] : [word],
  );
  if (words[0] !== 'curl') throw unreadable('it does not start with curl');
  const parsed: Parsed = { headers: {}, data: [], isGet: false, isHead: false, followRedirects: false };
  for (let at = 1; at < words.length; at++) {
    const word = words[at] as string;
    if (!word.startsWith('-') || word === '-') {
      if (parsed.url !== undefined) throw unreadable(`it has a second address '${word.slice(0, 100)}'`);
      parsed.url = word;
      continue;
    }
    const ignored = Object.hasOwn(IGNORED, word) ? IGNORED[word] : undefined;
    if (ignored !== undefined) at += ignored;
    else if (!applyFlag(parsed, word)) {
      const value = words[++at];
      if (value === undefined) throw unreadable(`'${word}' has no value`);
      applyOption(parsed, word, value);
    }
  }
  return finished(parsed);
}

function finished({ url, method, headers, data, isGet, isHead, followRedirects }: Parsed): CurlRequest {
  if (url === undefined) throw unreadable('it has no address');
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(url) ? url : `http://${url}`;
  const body = data.join('&');
  if (data.length === 0 || isGet) {
    const query = data.length === 0 ? '' : `${address.includes('?') ? '&' : '?'}${body}`;
    return { url: address + query, method: method ?? (isHead ? 'HEAD' : 'GET'), headers, followRedirects };
  }
  const withType = { 'content-type': 'application/x-www-form-urlencoded', ...headers };
  return { url: address, method: method ?? 'POST', headers: withType, body, followRedirects };
}

function applyFlag(parsed: Parsed, word: string): boolean {
  if (word === '-L' || word === '--location') parsed.followRedirects = true;
  else if (word === '-G' || word === '--get') parsed.isGet = true;
  else if (word === '-I' || word === '--head') parsed.isHead = true;
  else return false;
  return true;
}

function applyOption(parsed: Parsed, word: string, value: string): void {
  switch (word) {
    case '-X':
    case '--request':
      parsed.method = value.toUpperCase();
      return;
    case '--url':
      parsed.url = value;
      return;
    case '-H':
    case '--header': {
      const colon = value.indexOf(':');
      if (colon > 0) parsed.headers[value.slice(0, colon).trim().toLowerCase()] = value.slice(colon + 1).trim();
      return;
    }
    case '-A':
    case '--user-agent':
      parsed.headers['user-agent'] = value;
      return;
    case '-e':
    case '--referer':
      parsed.headers['referer'] = value;
      return;
    case '-b':
    case '--cookie':
      parsed.headers['cookie'] = value;
      return;
    case '-u':
    case '--user':
      parsed.headers['authorization'] = `Basic ${Buffer.from(value).toString('base64')}`;
      return;
    case '--json':
      Object.assign(parsed.headers, { 'content-type': 'application/json', accept: 'application/json' });
      parsed.data.push(value);
      return;
    case '--data-urlencode':
      parsed.data.push(urlEncoded(value));
      return;
    case '-d':
    case '--data':
    case '--data-ascii':
    case '--data-binary':
      if (value.startsWith('@')) throw unreadable('it sends a file');
      parsed.data.push(value);
      return;
    case '--data-raw':
      parsed.data.push(value);
      return;
    default:
      throw unreadable(`the option '${word.slice(0, 40)}' is not supported`);
  }
}

function urlEncoded(value: string): string {
  const equals = value.indexOf('=');
  if (equals < 0) return encodeURIComponent(value);
  return `${value.slice(0, equals === 0 ? 0 : equals + 1)}${encodeURIComponent(value.slice(equals + 1))}`;
}

/** Splits a command at spaces, with the quotes of a POSIX shell and `$'…'`. Expands nothing. */
function splitWords(command: string): string[] {
  const text = command.trim().replace(/\\\r?\n/g, ' ');
  const words: string[] = [];
  let word: string | undefined;
  for (let at = 0; at < text.length; at++) {
    const character = text[at] as string;
    if (/\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (character === "'" || character === '"' || (character === '$' && text[at + 1] === "'")) {
      const start = character === '$' ? at + 2 : at + 1;
      const quote = character === '$' ? "$'" : character;
      const { value, end } = quoted(text, start, quote);
      word = (word ?? '') + value;
      at = end;
    } else if (character === '\\') word = (word ?? '') + (text[++at] ?? '');
    else word = (word ?? '') + character;
  }
  if (word !== undefined) words.push(word);
  return words;
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

function quoted(text: string, start: number, quote: string): { readonly value: string; readonly end: number } {
  const close = quote === '"' ? '"' : "'";
  let value = '';
  for (let at = start; at < text.length; at++) {
    const character = text[at] as string;
    if (character === close) return { value, end: at };
    const next = text[at + 1] ?? '';
    if (character === '\\' && quote === '"' && '\\"$`'.includes(next)) {
      value += next;
      at++;
    } else if (character === '\\' && quote === "$'") {
      const unicode = /^u([0-9a-fA-F]{4})/.exec(text.slice(at + 1, at + 6))?.[1];
      value += unicode === undefined ? (ESCAPES[next] ?? next) : String.fromCharCode(Number.parseInt(unicode, 16));
      at += unicode === undefined ? 1 : 5;
    } else value += character;
  }
  throw unreadable('a quote is not closed');
}

const unreadable = (why: string): ComponentError =>
  new ComponentError(
    `The curl command cannot be used: ${why}.`,
    'Paste a command with an address, headers (-H) and data (-d), or fill in the fields.',
  );
