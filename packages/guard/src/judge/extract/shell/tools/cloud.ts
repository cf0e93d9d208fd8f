import type { Call, Handler } from '../call.ts';
import { givePaths } from '../given-paths.ts';
import { type Field, withValue } from '../marks.ts';
import { parseOptions } from '../options.ts';
import { noteFetched } from './fetched.ts';

/** Object stores and cloud clients. */
export const CLOUD_HANDLERS: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  ...['rclone', 'gsutil', 'gcloud', 'az', 'azcopy', 's3cmd', 's5cmd', 'mc', 'b2', 'oci', 'doctl'].map(
    (name): [string, Handler] => [name, copyRemote],
  ),
  ['aws', runAws],
]);

/** An address in a store, which is not a path: `s3://b/k`, `remote:path`. */
const ADDRESS = /^(?:\w[\w+.-]*:\/\/|[\w-]{2,}:)/;
const COPIES = /^(?:cp|mv|sync|rsync|copy|copyto|move|moveto|get|download|scp|download-batch)$/;

/**
 * Handles `cp a b` of store clients. Operands that are not addresses are written, except the first, which may be the
 * source.
 */
function noteCopied({ state, reader }: Call, verb: string, files: readonly Field[]): void {
  const [source, ...others] = files;
  const isMoved = /^mv|^move/.test(verb);
  for (const file of others)
    if (!ADDRESS.test(file.value)) {
      reader.write(state, file);
      if (source !== undefined && ADDRESS.test(source.value))
        noteFetched(state, reader, source, file, /sync/.test(verb));
    }
  if (isMoved && source !== undefined && !ADDRESS.test(source.value)) reader.write(state, source, 'removes');
}

function copyRemote(call: Call): undefined {
  const { name, args, state, reader } = call;
  const { operands, values } = parseOptions(args, {
    values:
      '-f -d --file --destination --dest --destination-path --output-file --profile --region --exclude --include --output --query --endpoint-url --project --account-name --acl --zone',
  });
  if (name === 'az')
    for (const file of values('-f', '-d', '--file', '--destination', '--dest')) reader.write(state, file);
  const at = operands.findIndex((operand) => COPIES.test(operand.value));
  const verb = operands[at]?.value ?? '';
  if (at !== -1) {
    const files = operands.slice(at + 1);
    noteCopied(call, verb, files);
    const last = files.at(-1);
    if (name === 'rclone' && last !== undefined && /^\w[\w-]*:/.test(last.value))
      reader.undecidable("'rclone' writes on another machine.");
  }
  givePaths(call);
}

/** Switches of `aws` that take no value. */
const SWITCHES =
  /^--(?:no-[\w-]+|debug|recursive|dryrun|dry-run|quiet|only-show-errors|delete|exact-timestamps|size-only|follow-symlinks|human-readable|summarize|ignore-glacier-warnings|force-glacier-transfer|version|help)$/;

/** Most operations of the AWS command line take one operand: the file for the response. */
function runAws(call: Call): undefined {
  const { args, state, reader } = call;
  const words: Field[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] as Field;
    if (!arg.value.startsWith('--')) words.push(arg);
    else {
      const given = /^--(?:output-template-file|kubeconfig|outfile|output-file)(?:=([^]*))?$/.exec(arg.value);
      const value = given?.[1] === undefined ? args[at + 1] : withValue(arg, given[1]);
      if (given !== null && value !== undefined) reader.write(state, value);
      if (!SWITCHES.test(arg.value) && !arg.value.includes('=') && args[at + 1]?.value.startsWith('--') === false)
        at += 1;
    }
  }
  const [service, operation, ...files] = words;
  if (service?.value === 's3')
    return noteCopied(call, operation?.value ?? '', COPIES.test(operation?.value ?? '') ? files : []) as undefined;
  if (/^(?:logs|configure|sso|ssm|history|help)$/.test(service?.value ?? '')) {
    if (
      service?.value === 'configure' &&
      !/^(?:list|get|list-profiles|export-credentials)$/.test(operation?.value ?? '')
    )
      reader.write(state, { value: '\uE003/.aws/config', written: 'aws configure' });
    return;
  }
  if (
    service?.value === 'eks' &&
    operation?.value === 'update-kubeconfig' &&
    !args.some((arg) => arg.value.startsWith('--kubeconfig'))
  )
    reader.write(state, { value: '\uE003/.kube/config', written: 'aws eks update-kubeconfig' });
  for (const file of files) if (file.value !== '-') reader.write(state, file);
  givePaths({ ...call, args: args.filter((arg) => !/^(?:file|fileb):\/\//.test(arg.value)) });
}
