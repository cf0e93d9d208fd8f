import type { Call } from '../call.ts';
import { givePaths } from '../given-paths.ts';
import { ANY, type Field, field } from '../marks.ts';
import { parseOptions } from '../options.ts';
import { otherProgram } from '../other-program.ts';
import { noteHooks } from './hook-installers.ts';
import { PYTHON } from './languages.ts';
import { readCode } from './read-code.ts';

/** `python -m X`: the modules that write to paths in their arguments. */
export function runModule(call: Call, words: readonly Field[]): undefined {
  const { state, reader } = call;
  const [module, ...rest] = words;
  const { operands, values } = parseOptions(rest, { values: '--prompt --upgrade-deps' });
  const files = operands;
  switch (module?.value) {
    case 'venv':
    case 'virtualenv':
      for (const file of files) reader.write(state, file);
      return undefined;
    case 'zipfile':
    case 'tarfile':
      for (const [index, arg] of rest.entries()) {
        const next = rest[index + 1];
        if (/^(?:-c|--create)$/.test(arg.value) && next !== undefined) reader.write(state, next);
        if (/^(?:-e|--extract)$/.test(arg.value)) {
          const [to = field('.', 'the archive')] = rest.slice(index + 2, index + 3);
          reader.write(state, to, 'fills');
        }
      }
      return undefined;
    case 'timeit': {
      const code = parseOptions(rest, { values: '-n -r -s -u --number --repeat --setup --unit' });
      for (const one of [...code.operands, ...code.values('-s', '--setup')]) readCode(one.value, PYTHON, call);
      return undefined;
    }
    case 'pdb':
    case 'ipdb':
    case 'idlelib':
    case 'code':
    case 'asyncio':
    case 'IPython': {
      const code = parseOptions(rest, { values: '-c --command -r' }).values('-c', '--command', '-r');
      for (const one of code) readCode(one.value, PYTHON, call);
      for (const text of call.input ?? []) readCode(text, PYTHON, call);
      return undefined;
    }
    case 'gzip':
    case 'compileall':
      for (const file of files) reader.write(state, file);
      return undefined;
    case 'pip':
    case 'black':
    case 'isort':
    case 'ruff':
    case 'autopep8':
    case 'uv':
    case 'site':
      if (module !== undefined) reader.runWords(words, state.copy(), undefined);
      return undefined;
    default:
      if (module?.value.includes(ANY) === true) reader.undecidable('It is not known which module runs.');
      noteHooks(module?.value ?? '', { ...call, args: rest });
      if (values('--prompt').length === 0) {
        otherProgram({ ...call, args: rest });
        givePaths({ ...call, name: `${call.name} -m ${module?.value ?? ''}`, args: rest });
      }
      return undefined;
  }
}
