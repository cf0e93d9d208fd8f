import type { Call } from '../call.ts';
import { givePaths } from '../given-paths.ts';
import { parseOptions } from '../options.ts';
import { checkPackage } from './check-package.ts';

/** Handles pip, uv, pipx, conda and other package managers of Python. */
export function runPip(call: Call): undefined {
  const { args, state, input, reader, name } = call;
  const { operands, values, has } = parseOptions(args, {
    values:
      '-t -r -c -e -d -w -p -i -n -C -f --target --prefix --root --requirement --constraint --editable --dest --wheel-dir --log --cache-dir --src --index-url --extra-index-url --find-links --python --report --directory --project --path --name --build --output-file -o --tool-dir --install-dir --group --extra --with --from --file --with-requirements',
  });
  const verb = operands[0]?.value ?? '';
  for (const file of values(
    '-t',
    '--target',
    '--prefix',
    '--root',
    '-d',
    '--dest',
    '-w',
    '--wheel-dir',
    '--log',
    '--src',
    '--report',
    '--directory',
    '--output-file',
    '-o',
    '--tool-dir',
    '--install-dir',
  ))
    reader.write(state, file);
  for (const file of values('-r', '--requirement')) reader.read(state, file);
  if (name === 'virtualenv') for (const file of operands) reader.write(state, file);
  if (name === 'uv' && verb === 'venv') for (const file of operands.slice(1)) reader.write(state, file);
  if (/^(?:conda|mamba)$/.test(name)) {
    for (const file of values('-p')) reader.write(state, file);
    if (/^(?:create|install|update|remove|config|init)$/.test(verb) && values('-p', '--prefix').length === 0)
      reader.undecidable(`'${name} ${verb}' changes environments outside the project.`);
  }
  if (has('--user')) reader.write(state, { value: '\uE003/.local', written: '--user' });
  if (has('--break-system-packages', '--system')) reader.undecidable('Packages of the system are changed.');
  if (
    name === 'pipx' ||
    (name === 'uv' && /^(?:tool|self)$/.test(verb) && operands[1]?.value !== 'run' && operands[1]?.value !== 'list')
  ) {
    if (!/^(?:list|run|--version)$/.test(verb)) reader.undecidable(`'${name} ${verb}' installs for every project.`);
  }
  if (
    (name === 'pip' || name === 'poetry') &&
    verb === 'config' &&
    operands.length > 2 &&
    !/^(?:list|get|debug)$/.test(operands[1]?.value ?? '') &&
    !has('--local', '--site', '--list')
  )
    reader.undecidable(`'${name} config' changes settings outside the project.`);
  if (verb === 'run' && /^(?:pipenv|poetry|pdm|uv|hatch|rye|conda|mamba)$/.test(name)) {
    const at = args.findIndex((arg) => arg.value === 'run');
    const { operands: inner } = parseOptions(args.slice(at + 1), {
      values:
        '-p --python --with --extra --group --project --directory --env-file --package -n --name --with-requirements --with-editable --index-url --only-group',
      stopsAtOperand: true,
    });
    if (name === 'uv') for (const spec of values('--from', '--with')) checkPackage(spec, reader);
    reader.runWords(inner, state.copy(), input);
  }
  if (name === 'pipx' && verb === 'run') {
    checkPackage(operands[1], reader);
    givePaths({ ...call, args: operands.slice(2) });
    reader.runWords(operands.slice(1), state.copy(), input);
  }
  // `uv tool run X` is `uvx X`.
  if (name === 'uv' && verb === 'tool' && operands[1]?.value === 'run') {
    const { operands: inner } = parseOptions(args.slice(args.findIndex((arg) => arg.value === 'run') + 1), {
      values: '--from --with -p --python',
      stopsAtOperand: true,
    });
    for (const spec of [inner[0], ...values('--from', '--with')]) checkPackage(spec, reader);
    reader.runWords(inner, state.copy(), input);
  }
}
