import type { Call, Handler } from '../call.ts';
import { ANY, changeDirectory, field, withValue } from '../marks.ts';
import { parseOptions } from '../options.ts';

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
  ['rclone', copyRemote],
  ['gsutil', copyRemote],
  ['aws', copyRemote],
  ['gcloud', copyRemote],
  ['az', copyRemote],
]);

const CURL_VALUES =
  '-o -D -c -b -d -F -H -X -u -A -e -T -w -x -K -m -r -C -E -U -Y -y -z -P -Q -t --output --output-dir --dump-header --cookie-jar --cookie --data --data-raw --data-binary --data-urlencode --form --header --request --user --user-agent --referer --upload-file --write-out --proxy --config --max-time --connect-timeout --retry --retry-delay --trace --trace-ascii --stderr --etag-save --etag-compare --hsts --alt-svc --libcurl --cacert --cert --key --url --json --range --resolve --limit-rate --netrc-file --interface --max-redirs --unix-socket --proto --tls-max --ciphers --retry-max-time --ssl-sessions --dump-ca-embed --max-filesize --form-string --url-query --oauth2-bearer --aws-sigv4 --noproxy';

function runCurl({ args, state, reader }: Call): undefined {
  const { operands, values, has, isOpen } = parseOptions(args, { values: CURL_VALUES });
  if (isOpen && args.some((arg) => arg.value.startsWith(ANY) && !operands.includes(arg)))
    reader.undecidable("It is not known what 'curl' is given.");
  const own = state.copy();
  for (const directory of values('--output-dir')) {
    reader.write(state, directory);
    own.cwds = own.cwds.map((cwd) => changeDirectory(cwd, directory.value));
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
  if (has('-O', '--remote-name', '--remote-name-all', '-J') && own.cwds.some((cwd) => cwd !== ''))
    reader.write(own, field('.', 'curl -O'));
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
  for (const file of values('-T', '--upload-file', '-b', '--cookie', '--cert', '-E', '--key', '--netrc-file'))
    if (!file.value.includes('=')) reader.read(state, file);
  for (const url of operands)
    if (/^file:\/\//i.test(url.value)) reader.read(state, withValue(url, url.value.replace(/^file:\/\/[^/]*/i, '')));
}

function runWget({ args, state, reader }: Call): undefined {
  const { operands, values, has } = parseOptions(args, {
    values:
      '-O -P -o -a -i -e -U -t -T -Q -D -A -R -l -w -B --output-document --directory-prefix --output-file --append-output --input-file --execute --save-cookies --load-cookies --header --user-agent --tries --timeout --warc-file --warc-tempdir --warc-cdx --hsts-file --use-askpass --config --post-data --post-file --user --password --rejected-log --level --wait --limit-rate --accept --reject --method --body-data --referer',
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
  const isHere =
    values('-O', '--output-document', '-P', '--directory-prefix').length === 0 &&
    !has('--spider') &&
    operands.length > 0;
  if (isHere && state.cwds.some((cwd) => cwd !== '')) reader.write(state, field('.', 'wget'));
}

function runAria({ args, state, reader }: Call): undefined {
  const { values } = parseOptions(args, {
    values: '-d -o -l -i -x -s -j --dir --out --log --input-file --on-download-complete --save-session --conf-path',
  });
  for (const file of values('-d', '--dir', '-o', '--out', '-l', '--log', '--save-session')) reader.write(state, file);
  if (values('--on-download-complete', '--conf-path').length > 0)
    reader.undecidable('An option of aria2c runs a command.');
}

function runSsh({ args, state, reader }: Call): undefined {
  const { operands, values, has } = parseOptions(args, {
    values: '-b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w',
    stopsAtOperand: true,
  });
  for (const file of values('-E')) reader.write(state, file);
  for (const { value } of values('-o')) {
    const command = /^(?:ProxyCommand|LocalCommand|KnownHostsCommand)[ =]+(.*)$/is.exec(value)?.[1];
    if (command !== undefined) reader.runText([command], state.copy());
    else if (/^(?:UserKnownHostsFile|ControlPath|Include)\b/i.test(value) && !value.endsWith('/dev/null'))
      reader.undecidable('An option of ssh names a file it writes or reads.');
  }
  if (operands.length > 0 && !has('-V', '-G', '-Q', '-T')) reader.undecidable('The command runs on another machine.');
  else if (operands.length > 1) reader.undecidable('The command runs on another machine.');
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

/** Object stores: `aws s3 cp a b`. The last operand is written where it is no address. */
function copyRemote({ name, args, state, reader }: Call): undefined {
  const { operands } = parseOptions(args, {
    values: '--profile --region --exclude --include --output --query --endpoint-url --project --account-name --acl',
  });
  const at = operands.findIndex((operand) => /^(?:cp|mv|sync|rsync|copy|move|download)$/.test(operand.value));
  if (at === -1) return;
  const files = operands.slice(at + 1);
  const last = files.at(-1);
  if (files.length > 1 && last !== undefined && !/^\w[\w-]+:/.test(last.value)) reader.write(state, last);
  if (/^mv|^move/.test(operands[at]?.value ?? '') && files[0] !== undefined && !/^\w+:\/\//.test(files[0].value))
    reader.write(state, files[0]);
  if (name === 'rclone' && last !== undefined && /^\w[\w-]*:/.test(last.value))
    reader.undecidable("'rclone' writes on another machine.");
}
