/**
 * Whether a program in the command line certainly writes nothing. The check is simple and rejects whatever it does not
 * recognise. It removes strings and comments. Then every word before a `(` must be in the list of calls below, which
 * print, parse, compute or read. No word may be in the list of those that write, run, or reach other code by a name
 * made at run time. Calls of something other than a name (`a[b](c)`, `f()()`), template tags and decorators are
 * rejected. Does not check what a module of the project does when it is loaded: that is a started program.
 */
export function isPlainCode(language: 'python' | 'javascript' | 'other', source: string): boolean {
  if (source.length > 20_000) return false;
  const code = withoutStrings(language, source);
  if (code === undefined) return false;
  if (language === 'other') return isPlainOther(code);
  if (RISKY.test(code)) return false;
  // A call of something other than a name; `print (x)` and `if (x)` are names.
  if (/[\])}\u0001]\s*\(/.test(code.replace(/\b(?:if|for|while|switch|catch)\s*\([^()]*\)\s*\(/g, ' '))) return false;
  if (
    language === 'python' &&
    (/^\s*@|\bfrom\s+(?:os|shutil|subprocess|pathlib|importlib|builtins|tempfile|sys|io|code|runpy)\b/m.test(code) ||
      /\bas\s+(?!\w*\b(?:np|pd|plt|tf|e|f|fh|file|nx|sp|sns|pkg|m|mod|app|p|v|t)\b)\w+/.test(code))
  )
    return false;
  if (
    language === 'python' &&
    /\bos\.(?!path\b|environ\b|getcwd\b|getenv\b|listdir\b|sep\b|name\b|cpu_count\b|linesep\b|walk\b)/.test(code)
  )
    return false;
  const calls = language === 'python' ? PYTHON_CALLS : SCRIPT_CALLS;
  for (const [, name = ''] of code.matchAll(/([A-Za-z_$][\w$]*)\s*\(/g)) if (!calls.has(name)) return false;
  // A listed name that gets another meaning.
  for (const [, name = ''] of code.matchAll(
    /(?:\b(?:def|function|class|const|let|var)\s+|[;\n][^\S\n]*|^\s*)([A-Za-z_$][\w$]*)\s*=(?![=>])/g,
  )) {
    if (calls.has(name)) return false;
  }
  return !(language === 'python' && /\bopen\s*\(/.test(code) && !opensForReading(source));
}

/** Words that write, run, or reach code by a name made at run time, in any of the languages. */
const RISKY =
  /\b(?:exec\w*|eval|compile|system|popen\w*|spawn\w*|fork\w*|subprocess|shutil|child_process|worker_threads|vm|cluster|ctypes|cffi|pickle|marshal|shelve|importlib|runpy|pty|builtins|globals|locals|vars|getattr|setattr|delattr|attrgetter|methodcaller|write\w*|create\w*|remove\w*|unlink\w*|rename\w*|replace_\w*|rmdir\w*|rmtree|rm|rmSync|mkdir\w*|makedirs|mkdtemp\w*|touch|chmod\w*|chown\w*|link\w*|symlink\w*|copy\w*|cp\w*|move\w*|truncate\w*|append\w*File\w*|appendFile\w*|open\w*Sync|dump|save\w*|to_(?:csv|json|excel|parquet|pickle|sql|html)|extractall|extract|urlretrieve|Function|constructor|prototype|process\.(?:binding|dlopen|mainModule)|Reflect|Proxy|import\.meta|Deno|Bun|tempfile|fileinput|ZipFile|TarFile|FileHandler|sqlite3|connect|sendFile|pipe|__(?!name__|version__|file__|doc__|path__|main__|init__|future__|annotations__)\w+)\b/;

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

const PYTHON_CALLS =
  words(`print len str int float bool sorted list dict set tuple range enumerate zip sum min max any all abs round repr type
  isinstance hasattr dir id ord chr hex bin oct format join split rsplit splitlines strip lstrip rstrip replace startswith endswith upper
  lower title capitalize items keys values get loads dumps load read readline readlines open findall search match fullmatch sub group
  groups groupdict sort index count find rfind encode decode hexdigest digest sha1 sha256 sha512 md5 now today utcnow strftime isoformat time perf_counter
  sqrt floor ceil pow log exp exists isfile isdir islink getsize getcwd getenv listdir walk basename dirname abspath realpath version
  python_version platform machine node exit Counter defaultdict pprint most_common total_seconds timedelta datetime date Decimal Fraction
  reversed iter next slice callable hash divmod zfill ljust rjust center isdigit isalpha find_spec b64encode b64decode quote unquote
  urlparse urlencode parse_qs safe_load getLogger setdefault insert extend append pop union intersection difference factorial gcd randint random choice
  parse is_available device_count find_spec
  if for while and or not in is return lambda print_help with except elif yield assert del`);

const SCRIPT_CALLS =
  words(`log error warn info table dir stringify parse require keys values entries map filter reduce forEach find some every includes
  indexOf slice splice concat join split replace replaceAll trim trimStart trimEnd toString toUpperCase toLowerCase toFixed padStart padEnd startsWith
  endsWith match matchAll test repeat push pop shift sort reverse flat flatMap from isArray assign freeze charCodeAt charAt codePointAt fromCharCode
  Number String Boolean parseInt parseFloat isNaN isInteger Date now toISOString getTime getFullYear Math floor ceil round max min abs
  sqrt pow random Set Map has get add then catch finally readFileSync existsSync readdirSync statSync resolve dirname basename extname relative normalize
  exit cwd uptime memoryUsage if for while switch return function typeof async await new inspect isFile isDirectory update digest hrtime byteLength
  Array Object Error Promise all RegExp exec_ setTimeout satisfies valid gt lt gte lte`);

const OTHER_WORDS =
  words(`print printf say puts p if unless and or not my foreach for while until chomp split join length sprintf lc uc scalar keys values
  sort reverse push shift next last else elsif end do each map x eq ne lt gt le ge cmp int abs defined exists substr index undef return local our BEGIN END
  echo var_dump phpversion PHP_VERSION PHP_OS PHP_EOL json_encode json_decode count strlen implode explode strtoupper strtolower true false null nil
  RUBY_VERSION RUBY_PLATFORM to_s to_i size require json upcase downcase strip chars first sum max min tr s m qr y STDIN STDOUT STDERR _ a b n gsub sub version
  strict warnings use utf8 nr chop ucfirst lcfirst ARGV`);

function isPlainOther(code: string): boolean {
  if (/[`\u0002]|\?\{|->\s*\(|\$\{|%x/.test(code)) return false;
  for (const [name] of code.matchAll(/(?<![$@%\w])[A-Za-z_]\w*/g)) if (!OTHER_WORDS.has(name)) return false;
  return !/[<>|]\s*\u0001\s*,|\bopen\b/.test(code);
}

/** Whether every `open(` names its file by a string or a name, and has no mode or `r`. */
function opensForReading(source: string): boolean {
  const plain =
    /\bopen\s*\(\s*(?:[rb]?'[^']*'|[rb]?"[^"]*"|[\w.]+(?:\[\d+\])?)\s*(?:,\s*(?:mode\s*=\s*)?(['"])r[bt]?\1\s*)?(?:,\s*(?:encoding|errors|newline)\s*=\s*(['"])[^'"]*\2\s*)*\)/g;
  return [...source.matchAll(plain)].length === [...source.matchAll(/\bopen\b/g)].length;
}

/** @returns the program with strings as `\u0001` and without comments; undefined if a string contains code. */
function withoutStrings(language: 'python' | 'javascript' | 'other', source: string): string | undefined {
  if (language === 'python') {
    if (/\b[rRbBuU]*[fFtT][rRbB]*(["'])/.test(source)) {
      // The braces of an f-string contain code.
      const opened = source.replace(
        /\b[rR]?[fF][rR]?("""[^]*?"""|'''[^]*?'''|"(?:[^"\\\n]|\\[^])*"|'(?:[^'\\\n]|\\[^])*')/g,
        (_, text: string) => {
          const inner = [...text.matchAll(/\{([^{}]*)\}/g)].map(([, part = '']) =>
            part.replace(/(?<![=!<>])[:!][^(]*$/, ''),
          );
          return `(${inner.join(' , ')})`.replace(/^\(/, ' , (');
        },
      );
      return opened === source ? undefined : withoutStrings('python', opened);
    }
    return source.replace(/"""[^]*?"""|'''[^]*?'''|"(?:[^"\\\n]|\\[^])*"|'(?:[^'\\\n]|\\[^])*'|#[^\n]*/g, (text) =>
      text.startsWith('#') ? '' : '\u0001',
    );
  }
  if (language === 'javascript') {
    const risky =
      /require\s*\(\s*(?!['"](?:node:)?(?:path|os|util|url|fs|crypto|assert|querystring|\.{1,2}\/[\w./-]+|[\w@][\w./@-]*)['"]\s*\))|\bimport\s*\(/.test(
        source,
      );
    if (
      risky ||
      /require\s*\(\s*['"](?:node:)?(?:child_process|vm|worker_threads|cluster|module|repl|inspector|net|http|https|dgram|tls|shelljs|execa|fs-extra|rimraf|del|mkdirp)\b/.test(
        source,
      )
    )
      return undefined;
    // Destructuring gives a member another name.
    if (/\{[^{}]*:[^{}]*\}\s*=/.test(source)) return undefined;
    let isCode = false;
    const text = source.replace(
      /`((?:[^`\\]|\\[^])*)`|"(?:[^"\\\n]|\\[^])*"|'(?:[^'\\\n]|\\[^])*'|\/\/[^\n]*|\/\*[^]*?\*\/|(?<=[(,=:[!&|?{};]\s*)\/(?![*/])(?:[^/\\\n[]|\\.|\[(?:[^\]\\]|\\.)*\])+\/\w*/g,
      (match, template: string | undefined, offset: number) => {
        if (match.startsWith('//') || match.startsWith('/*')) return ' ';
        if (template !== undefined) {
          if (
            /[\w$)\]]\s*$/.test(source.slice(0, offset)) &&
            !/\b(?:return|case|of|in|typeof)\s*$/.test(source.slice(0, offset))
          )
            isCode = true;
          return [...template.matchAll(/\$\{([^{}]*)\}/g)].map(([, part = '']) => ` ; ${part} ; `).join('') || '\u0001';
        }
        return '\u0001';
      },
    );
    return isCode ||
      /\bfs\.(?!readFileSync\b|existsSync\b|readdirSync\b|statSync\b)|\[\s*[\w\u0001]+\s*\]\s*\(/.test(text)
      ? undefined
      : text;
  }
  // Perl, Ruby, PHP: the words in substitutions and patterns are not code, unless a flag says so.
  let runs = false;
  const text = source
    .replace(/\b(?:s|y|tr)([/#|!,])(?:[^\\\n]|\\.)*?\1(?:[^\\\n]|\\.)*?\1([a-z]*)/g, (match, _, flags: string) => {
      if (flags.includes('e') || /\(\?\??\{/.test(match)) runs = true;
      return ' ';
    })
    .replace(
      /(?:\bm|\bqr|(?<=[~(&|!;]\s*)|(?<=\b(?:if|unless|and|or|not|split|print)\s+)|^\s*)\/(?:[^/\\\n]|\\.)*\/[a-z]*/g,
      (match) => {
        if (/\(\?\??\{|[#@$]\{/.test(match)) runs = true;
        return ' ';
      },
    )
    .replace(/"(?:[^"\\]|\\[^])*"|'(?:[^'\\]|\\[^])*'/g, (match) => {
      if (/[@$#]\{/.test(match) && match.startsWith('"')) runs = true;
      return '\u0001';
    });
  return runs ? undefined : text;
}
