import { enterDirectory } from '../enter-directory.ts';
import type { Call, Handler } from '../call.ts';
import { ANY, type Field, field, withValue } from '../marks.ts';
import { parseOptions } from '../options.ts';
import { nameInAddress } from './fetched.ts';
import { runSsh } from './ssh.ts';

export const NETWORK_HANDLERS: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  ['curl', runCurl],
  ['wget', runWget],
  ['wget2', runWget],
  ['aria2c', runAria],
  ['ssh', runSsh],
  ['sftp', remote],
  ['ftp', remote],
  ['lftp', remote],
  ['ssh-copy-id', remote],
  ['nc', runNetcat],
  ['ncat', runNetcat],
  ['netcat', runNetcat],
  ['socat', runSocat],
]);

const CURL_VALUES =
  '-o -D -c -b -d -F -H -X -u -A -e -T -w -x -K -m -r -C -E -U -Y -y -z -P -Q -t --output --output-dir --dump-header --cookie-jar --cookie --data --data-raw --data-binary --data-urlencode --form --header --request --user --user-agent --referer --upload-file --write-out --proxy --config --max-time --connect-timeout --retry --retry-delay --trace --trace-ascii --stderr --etag-save --etag-compare --hsts --alt-svc --libcurl --cacert --cert --key --url --json --range --resolve --limit-rate --netrc-file --interface --max-redirs --unix-socket --proto --proto-default --tls-max --ciphers --retry-max-time --ssl-sessions --dump-ca-embed --max-filesize --form-string --url-query --oauth2-bearer --aws-sigv4 --noproxy';

function runCurl({ args, state, reader }: Call): undefined {
  const { operands, values, has, isOpen } = parseOptions(args, { values: CURL_VALUES });
  if (isOpen && args.some((arg) => arg.value.startsWith(ANY) && !operands.includes(arg)))
    reader.undecidable("It is not known what 'curl' is given.");
  const own = state.copy();
  for (const directory of values('--output-dir')) {
    reader.write(state, directory);
    own.cwds = own.cwds.map((cwd) => enterDirectory(state, cwd, directory.value));
  }
  for (const file of values('-o', '--output')) if (file.value !== '-') reader.write(own, file);
  for (const file of values(
    '-D',
    '--dump-header',
    '-c',
    '--cookie-jar',
    '--trace',
    '--trace-ascii',
    '--stderr',
    '--etag-save',
    '--hsts',
    '--alt-svc',
    '--libcurl',
    '--ssl-sessions',
    '--dump-ca-embed',
  )) {
    if (!/^[-%]$/.test(file.value)) reader.write(state, file);
  }
  // The file gets the last component of the URL as its name, or the one the server sends.
  if (has('-O', '--remote-name', '--remote-name-all', '-J', '--remote-header-name')) {
    if (has('-J', '--remote-header-name')) reader.write(own, field('.', 'curl -J'), 'fills');
    for (const url of [...operands, ...values('--url')]) noteNamed(own, reader, url, false);
  }
  if (values('-o', '--output').some((file) => /#\d/.test(file.value)))
    reader.undecidable('curl makes the name of the file from the address.');
  for (const file of values('-K', '--config')) {
    reader.read(state, file);
    reader.undecidable('curl reads its options from a file.');
  }
  for (const text of values('-w', '--write-out'))
    if (/%output\{|^@/.test(text.value)) reader.undecidable('curl writes what its format says.');
  for (const data of values('-d', '--data', '--data-binary', '--data-urlencode', '--json', '-F', '--form')) {
    const file = /^(?:[\w.]*=)?[@<](.+)$/.exec(data.value)?.[1];
    if (file !== undefined && file !== '-') reader.read(state, withValue(data, file.split(';')[0] ?? file));
  }
  // With `file:`, an upload writes to the disk.
  const isLocal = values('--proto-default').some((one) => /^file$/i.test(one.value));
  for (const url of values('-T', '--upload-file').length > 0 ? [...operands, ...values('--url')] : []) {
    const address = /^file:(?:\/\/[^/]*)?([^]+)$/i.exec(url.value)?.[1];
    if (address !== undefined) reader.write(state, withValue(url, address));
    else if (isLocal || url.value.includes(ANY)) reader.undecidable('It is not known where curl uploads to.');
  }
  for (const file of values('-T', '--upload-file', '-b', '--cookie', '--cert', '-E', '--key', '--netrc-file'))
    if (!file.value.includes('=')) reader.read(state, file);
  for (const url of operands)
    if (/^file:\/\//i.test(url.value)) reader.read(state, withValue(url, url.value.replace(/^file:\/\/[^/]*/i, '')));
}

function runWget({ args, state, reader }: Call): undefined {
  const { operands, values, has } = parseOptions(args, {
    values:
      '-O -P -o -a -i -e -U -t -T -Q -D -A -R -l -w -B --base --output-document --directory-prefix --output-file --append-output --input-file --execute --save-cookies --load-cookies --header --user-agent --tries --timeout --warc-file --warc-tempdir --warc-cdx --hsts-file --use-askpass --config --post-data --post-file --user --password --rejected-log --level --wait --limit-rate --accept --reject --method --body-data --referer',
  });
  for (const file of values('-O', '--output-document')) if (file.value !== '-') reader.write(state, file);
  for (const file of values(
    '-P',
    '--directory-prefix',
    '-o',
    '--output-file',
    '-a',
    '--append-output',
    '--save-cookies',
    '--warc-file',
    '--warc-tempdir',
    '--hsts-file',
    '--rejected-log',
  ))
    reader.write(state, file);
  for (const file of values('-e', '--execute', '--config', '--use-askpass'))
    reader.undecidable(`'${file.written}' may change what wget writes or runs.`);
  const isNamed = values('-O', '--output-document').length > 0 || has('--spider');
  const isOpen =
    values('-i', '--input-file', '-B', '--base').length > 0 ||
    has(
      '--content-disposition',
      '--trust-server-names',
      '-r',
      '--recursive',
      '-m',
      '--mirror',
      '-p',
      '--page-requisites',
      '-x',
      '--force-directories',
    );
  if (isNamed || (operands.length === 0 && !isOpen)) return;
  const own = state.copy();
  for (const { value } of values('-P', '--directory-prefix'))
    own.cwds = own.cwds.map((cwd) => enterDirectory(state, cwd, value));
  if (isOpen) reader.write(own, field('.', 'wget'), 'fills');
  for (const url of operands) noteNamed(own, reader, url, true);
}

/** Records a file fetched into the current directory, under the name in its URL. */
function noteNamed(state: Call['state'], reader: Call['reader'], url: Field, keepsQuery: boolean): void {
  const name = nameInAddress(url, keepsQuery);
  if (name !== '') reader.write(state, field(name, url.written));
  else if (nameInAddress({ ...url, value: `${url.value.replace(/[?#][^]*$/, '')}x` }, keepsQuery) === '')
    reader.write(state, field('.', url.written), 'fills');
  else reader.write(state, field('index.html', url.written));
}

function runAria({ args, state, reader }: Call): undefined {
  const { operands, values } = parseOptions(args, {
    values: '-d -o -l -i -x -s -j --dir --out --log --input-file --on-download-complete --save-session --conf-path',
  });
  for (const file of values('-d', '--dir', '-o', '--out', '-l', '--log', '--save-session')) reader.write(state, file);
  const own = state.copy();
  for (const { value } of values('-d', '--dir')) own.cwds = own.cwds.map((cwd) => enterDirectory(state, cwd, value));
  if (values('-i', '--input-file').length > 0) reader.write(own, field('.', 'aria2c'), 'fills');
  if (values('-o', '--out').length === 0) for (const url of operands) noteNamed(own, reader, url, false);
  if (args.some((arg) => /^--on-|^--conf-path|^--hook/.test(arg.value)))
    reader.undecidable('An option of aria2c runs a command.');
}

function remote({ reader, name, args }: Call): undefined {
  if (args.length > 0) reader.undecidable(`'${name}' moves files by commands of its own.`);
}

function runNetcat({ args, reader }: Call): undefined {
  if (args.some((arg) => /^-[a-zA-Z]*[ec]$|^--(?:sh-)?exec/.test(arg.value)))
    reader.undecidable('Commands are taken from the network.');
}

function runSocat({ args, state, reader }: Call): undefined {
  for (const { value, written } of args) {
    const file = /^(?:OPEN|CREATE|CREAT|FILE|GOPEN|PIPE|UNIX-LISTEN)[:=]([^,]+)/i.exec(value)?.[1];
    if (file !== undefined) reader.write(state, field(file, written));
    if (/^(?:EXEC|SYSTEM|SHELL)[:=]/i.test(value))
      reader.runText([value.replace(/^\w+[:=]/, '').replace(/,[^,]*$/, '')], state.copy());
  }
}
