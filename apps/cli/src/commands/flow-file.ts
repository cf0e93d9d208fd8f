import { builtinRegistry, builtinToolNames } from '@croft/components';
import { drawFlow, type Finding, type FlowNode, printFlow, printSpec, specOf, validateFlow } from '@croft/flow';
import { readFlowWithCode } from '../compose/flow-code.ts';
import { readFlowFile } from '../compose/read-flow-file.ts';
import { palette } from '../render/colours.ts';
import { printable, printableJson, shownOn } from '../render/printable.ts';
import { writeNewFile } from '../compose/write-new-file.ts';

/** Prints the findings of a flow. Exit code 1 if one of them prevents a run. */
export async function checkFlowFile(file: string, dir: string, isJson: boolean): Promise<void> {
  const { flow, registry, findings: inCode } = await readFlowWithCode(file, dir);
  const findings = [...inCode, ...validateFlow(flow, registry)];
  if (findings.some(({ severity }) => severity === 'error')) process.exitCode = 1;
  if (isJson) {
    process.stdout.write(`${printableJson(findings, 2)}\n`);
    return;
  }
  const { green } = palette(process.stdout);
  showFindings(findings, process.stdout);
  if (findings.length === 0) process.stdout.write(`${green('ok')}  The flow can run.\n`);
}

/**
 * Converts an export of Langflow. The flow goes to `out`, which must not exist, or to standard output; everything that
 * could not be taken over goes to standard error.
 */
export function importFlowFile(file: string, { out, json }: { out?: string; json?: boolean }): void {
  const findings: Finding[] = [];
  const flow = readFlowFile(file, builtinRegistry(), (finding) => findings.push(finding));
  if (json === true) process.stdout.write(`${printableJson({ flow, findings }, 2)}\n`);
  else showFindings(findings, process.stderr);
  if (out === undefined) {
    if (json !== true) process.stdout.write(shownOn(process.stdout, printFlow(flow)));
    return;
  }
  writeNewFile(out, printFlow(flow));
  const { green } = palette(process.stderr);
  process.stderr.write(
    `${green('imported')}  ${flow.nodes.length} components and ${flow.edges.length} connections into ${printable(out)}\n`,
  );
}

function showFindings(findings: readonly Finding[], stream: NodeJS.WriteStream): void {
  const { red, dim } = palette(stream);
  for (const { severity, message, fix } of findings)
    stream.write(
      `${severity === 'error' ? red('error  ') : dim('warning')}  ${printable(message)} ${dim(printable(fix))}\n`,
    );
}

/** Prints a flow in its text form. */
export async function printFlowFile(file: string, dir: string): Promise<void> {
  const { flow } = await readFlowWithCode(file, dir);
  process.stdout.write(shownOn(process.stdout, printSpec(specOf(flow))));
  const withCode = flow.nodes.filter(({ code }) => code !== undefined);
  const { dim } = palette(process.stderr);
  if (withCode.length > 0)
    process.stderr.write(
      dim(
        `left out  the code of ${printable(withCode.map(({ id }) => id).join(', '))}: keep the JSON document, or store the code as .components/NAME.ts\n`,
      ),
    );
}

/** Draws a flow for a terminal. */
export async function drawFlowFile(file: string, dir: string): Promise<void> {
  const { flow } = await readFlowWithCode(file, dir);
  const noteOf = (node: FlowNode) => {
    const tools = builtinToolNames(node);
    return tools.length === 0 ? '' : `offers its model: ${tools.join(', ')}`;
  };
  process.stdout.write(`${printable(drawFlow(flow, noteOf))}\n`);
}
