import type { Call, Handler } from '../call.ts';
import { type Field, field, withValue } from '../marks.ts';
import { givePaths } from '../given-paths.ts';
import { parseOptions } from '../options.ts';
import { noteFetched } from './fetched.ts';

/** Containers: a mounted host directory can be written from inside. */
export const CONTAINER_HANDLERS: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  ...['docker', 'podman', 'nerdctl', 'docker-compose', 'podman-compose', 'buildah'].map((name): [string, Handler] => [
    name,
    runDocker,
  ]),
  ...['kubectl', 'oc', 'k'].map((name): [string, Handler] => [name, runKubectl]),
  ['bwrap', otherMounts],
]);

function otherMounts({ args, reader }: Call): undefined {
  if (args.length > 0) reader.undecidable('The command runs with other mounts.');
}

function runDocker(call: Call): undefined {
  const { args, state, reader } = call;
  const { operands } = parseOptions(args, {
    values:
      '-H -c -l --context --host --config --log-level -f --file -p --project-name --project-directory --env-file --profile',
    stopsAtOperand: true,
  });
  const isCompose = call.name.endsWith('-compose') || operands[0]?.value === 'compose';
  const rest =
    operands[0]?.value === 'compose' ||
    /^(?:container|image|buildx|builder|volume|network|system)$/.test(operands[0]?.value ?? '')
      ? operands.slice(1)
      : operands;
  const nested = isCompose
    ? parseOptions(rest, {
        values: '-f --file -p --project-name --project-directory --env-file --profile --ansi',
        stopsAtOperand: true,
      }).operands
    : rest;
  const [verb, ...words] = nested;
  if (operands[0]?.value === 'volume') {
    for (const word of words) {
      const device = /\bdevice=([^,]+)/.exec(word.value)?.[1];
      if (device !== undefined) reader.write(state, withValue(word, device));
    }
    return;
  }
  switch (verb?.value) {
    case 'run':
    case 'create':
      return mounts(words, call);
    case 'cp': {
      const { operands: files } = parseOptions(words, { values: '' });
      noteCopied(files, state, reader);
      return;
    }
    case 'build':
    case 'bake':
    case 'export':
    case 'save': {
      const { values } = parseOptions(words, {
        values:
          '-o -f -t --output --iidfile --metadata-file --file --tag --build-arg --target --platform --cache-to --cache-from --secret --ssh --build-context',
      });
      for (const file of values('-o', '--output', '--iidfile', '--metadata-file', '--cache-to')) {
        const dest =
          /(?:^|,)dest=([^,]+)/.exec(file.value)?.[1] ?? (file.value.startsWith('type=') ? undefined : file.value);
        if (dest !== undefined && dest !== '-') reader.write(state, withValue(file, dest));
      }
      return;
    }
    case 'unshare':
      reader.undecidable('The command runs in a namespace of its own.');
      return;
    case 'plugin':
    case 'context':
    case 'swarm':
    case 'login':
      if (!/^(?:ls|list|inspect|show|use)$/.test(words[0]?.value ?? ''))
        reader.undecidable(`'docker ${verb.value}' changes settings outside the project.`);
      return;
    default:
  }
}

const RUN_VALUES =
  '-v -e -p -w -u -h -l -m -c -a --volume --mount --env --env-file --publish --workdir --user --name --network --net --entrypoint --platform --hostname --label --memory --cpus --restart --add-host --device --tmpfs --cap-add --cap-drop --security-opt --ulimit --volumes-from --pid --ipc --userns --uts --gpus --shm-size --pull --log-driver --log-opt --expose --dns --cidfile --pidfile --annotation --runtime --stop-signal --health-cmd --network-alias --group-add --cgroupns';

function mounts(words: readonly Field[], { state, reader }: Call): undefined {
  const { values, has, options } = parseOptions(words, { values: RUN_VALUES, stopsAtOperand: true, isGo: true });
  for (const volume of values('-v', '--volume')) {
    const match = /^((?:[A-Za-z]:[\\/])?[^:]*)(?::([^:]*))?(?::([^:]*))?$/.exec(volume.value);
    const source = match?.[1] ?? volume.value;
    const isReadOnly = /(?:^|,)ro(?:$|,)/.test(match?.[3] ?? '');
    // A plain name is a volume that docker manages.
    if (match?.[2] !== undefined && /[/\\.~\uE000-\uE005]/.test(source)) mount(withValue(volume, source), isReadOnly);
  }
  for (const spec of values('--mount')) {
    const source = /(?:^|,)(?:source|src)=([^,]+)/.exec(spec.value)?.[1];
    if (/(?:^|,)type=bind/.test(spec.value) && source !== undefined)
      mount(withValue(spec, source), /(?:^|,)(?:readonly|ro)(?:$|,|=true|=1)/.test(spec.value));
  }
  for (const file of values('--cidfile', '--pidfile')) reader.write(state, file);
  if (has('--privileged') || values('--device', '--volumes-from', '--cap-add', '--security-opt').length > 0)
    reader.undecidable('The container is given rights on the host.');
  if (options.some((option) => /^--(?:pid|userns|ipc|uts)$/.test(option.name) && option.value?.value === 'host'))
    reader.undecidable('The container shares a namespace of the host.');

  function mount(source: Field, isReadOnly: boolean): void {
    if (isReadOnly && !/docker\.sock/.test(source.value)) reader.read(state, source);
    // The root itself is the project; the judge checks any other directory.
    else if (!/^(?:\uE004|\.)\/?$/.test(source.value) || state.cwds.some((cwd) => cwd !== ''))
      reader.write(state, source);
  }
}

/** Handles `cp container:/x here`. Operands that do not name a container are written, except the first. */
function noteCopied(files: readonly Field[], state: Call['state'], reader: Call['reader']): void {
  const [source, ...targets] = files;
  const isThere = ({ value }: Field): boolean =>
    /^[\w.-]+(?:\/[\w.-]+)?:/.test(value) && !/^[A-Za-z]:[\\/]/.test(value);
  for (const target of targets) {
    if (isThere(target) || target.value === '-') continue;
    reader.write(state, target);
    if (source !== undefined && isThere(source))
      noteFetched(state, reader, source, target, /\/\.?$/.test(source.value));
  }
}

function runKubectl(call: Call): undefined {
  const { args, state, reader } = call;
  const { operands } = parseOptions(args, {
    values: '-n -c --namespace --context --container --kubeconfig -l -o -f --retries',
    isGo: true,
  });
  const [verb, ...files] = operands;
  if (verb?.value === 'cp' || verb?.value === 'rsync') noteCopied(files, state, reader);
  else if (
    !/^(?:exec|debug|run|logs|get|describe|apply|delete|port-forward|explain|api-resources|auth|top)$/.test(
      verb?.value ?? '',
    )
  )
    givePaths(call);
  if (verb?.value === 'config' && !/^(?:view|get-contexts|current-context|get-clusters)$/.test(files[0]?.value ?? ''))
    reader.write(state, field('\uE003/.kube/config', 'kubectl config'));
}
