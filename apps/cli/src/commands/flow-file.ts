import { builtinRegistry } from '@croft/components';
import { drawFlow, printSpec, specOf, validateFlow } from '@croft/flow';
import { readFlowFile } from '../compose/read-flow-file.ts';
import { palette } from '../render/colours.ts';
import { printable } from '../render/printable.ts';

/** Prints the findings of a flow. Exit code 1 where one of them stops a run. */
export function checkFlowFile(file: string, isJson: boolean): void {
  const registry = builtinRegistry();
  const findings = validateFlow(readFlowFile(file, registry), registry);
  if (findings.some(({ severity }) => severity === 'error')) process.exitCode = 1;
  if (isJson) {
    process.stdout.write(`${JSON.stringify(findings, null, 2)}\n`);
    return;
  }
  const { red, dim, green } = palette(process.stdout);
  for (const { severity, message, fix } of findings)
    process.stdout.write(
      `${severity === 'error' ? red('error  ') : dim('warning')}  ${printable(message)} ${dim(printable(fix))}\n`,
    );
  if (findings.length === 0) process.stdout.write(`${green('ok')}  The flow can run.\n`);
}

/** Prints a flow in its text form. */
export function printFlowFile(file: string): void {
  process.stdout.write(printSpec(specOf(readFlowFile(file, builtinRegistry()))));
}

/** Draws a flow for a terminal. */
export function drawFlowFile(file: string): void {
  process.stdout.write(`${printable(drawFlow(readFlowFile(file, builtinRegistry())))}\n`);
}
