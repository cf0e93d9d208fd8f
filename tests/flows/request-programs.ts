/** TypeScript with the signature of a program. The program itself, in another language, is a comment. */
export function programOf(reads: readonly string[], gives: readonly string[], program: string): string {
  const any = "['Message', 'Data', 'Table', 'File', 'Any']";
  const inputs = reads.map((name) => `    { name: 'in_${name}', kind: 'handle', accepts: ${any}, required: true },`);
  const outputs = gives.map((name) => `    { name: '${name}', types: ['Any'] },`);
  return [
    ...program.split('\n').map((line) => `// ${line}`),
    'export class Program extends Component {',
    '  inputs = [',
    ...inputs,
    '  ];',
    '  outputs = [',
    ...outputs,
    '  ];',
    '  run() {',
    '    return {};',
    '  }',
    '}',
  ].join('\n');
}
