import { missingProtection } from '../compose/protection.ts';
import type { DoctorReport, Finding } from '../doctor/report.ts';
import { showTime } from '../local-time.ts';
import type { Palette } from './colours.ts';
import { printable, printableName } from './printable.ts';

type Row = readonly [label: string, value: string];

/** Renders the report for people: sections of aligned rows, then notes and problems. */
export function renderDoctorReport(report: DoctorReport, paint: Palette): string {
  const { secondWall, baseDir, resolver } = report;
  const sections: [string, Row[]][] = [
    [
      `Croft ${report.version}`,
      [
        ['Node', report.node],
        ['Platform', report.platform],
        ['Kernel', report.kernel],
      ],
    ],
    [
      'Path resolver',
      [
        ['Resolver', `${resolver.kind}: ${resolver.guarantee}`],
        ['koffi', report.koffi ?? 'not installed'],
      ],
    ],
    [
      'Second sandbox',
      [
        ['Landlock', secondWall.abi > 0 ? `version ${secondWall.abi}` : 'none'],
        [
          'Self-test',
          secondWall.active ? paint.green('passed: nothing outside could be read') : `off: ${secondWall.reason}`,
        ],
      ],
    ],
    [
      'Base directory',
      [
        ['Path', printableName(baseDir.path)],
        [
          'State',
          baseDir.exists
            ? `${baseDir.writable ? 'writable' : 'not writable'}${modeText(baseDir.mode)}`
            : 'missing, created on first use',
        ],
        [
          'Pepper',
          `${baseDir.pepper.state === 'missing' ? 'missing, created for the first user' : baseDir.pepper.state}${modeText(baseDir.pepper.mode)}`,
        ],
      ],
    ],
    ['Server', serverRows(report.server, paint)],
    [
      'Files',
      [
        ['auto_login', String(report.namespace.auto_login)],
        ['mode', report.namespace.mode],
        [
          'effective_root',
          report.namespace.effective_root === null ? 'unknown' : printableName(report.namespace.effective_root),
        ],
        ['resolution_error', report.namespace.resolution_error ?? 'none'],
      ],
    ],
    [
      'Configuration',
      [
        ...(report.configuration.length === 0 ? [['Values', 'cannot be used: see below'] as Row] : []),
        ...report.configuration.map(({ name, value, source }): Row => [name, `${value}  ${paint.dim(source)}`]),
        ['File', report.configFile ?? 'none'],
      ],
    ],
    [
      'Guard',
      report.guard === undefined
        ? [['Policy', 'cannot be used: see below']]
        : [
            ['Project', report.guard.root === null ? 'none found here' : printableName(report.guard.root)],
            ['Your policy', report.guard.file ?? 'none'],
            ["The project's", report.guard.projectFile ?? 'none'],
            ['State', report.guard.enabled ? report.guard.mode : paint.yellow('off')],
            ...report.hooks.map(
              ({ agent, file, lastCall }): Row => [
                agent,
                `${printableName(file)}  ${lastCall === null ? paint.yellow('never called') : paint.dim(`last call ${minute(lastCall)}`)}`,
              ],
            ),
          ],
    ],
    [
      'Limits',
      Object.entries(report.limits).map(([name, value]): Row => [name, (value as number).toLocaleString('en')]),
    ],
    ...(report.directory
      ? [
          [
            'Directory',
            [
              ['Root', printableName(report.directory.root)],
              ['Calls', String(report.directory.calls)],
            ],
          ] as [string, Row[]],
        ]
      : []),
    [
      'Workspaces with activity',
      report.workspaces.map(
        ({ root, exists, calls, last }): Row => [
          last === undefined ? 'no calls' : showTime(last),
          `${printableName(root)}${exists ? '' : paint.yellow(' (gone)')}  ${paint.dim(`${calls} ${calls === 1 ? 'call' : 'calls'}`)}`,
        ],
      ),
    ],
  ];
  const lines = sections.flatMap(([title, rows]) => [paint.bold(title), ...renderRows(rows), '']);
  lines.push(
    ...renderFindings('Notes', report.notes, paint.yellow),
    ...renderFindings('Problems', report.problems, paint.red),
  );
  const missing = missingProtection(resolver.kind, secondWall);
  if (!report.ok)
    lines.push(paint.red(`${report.problems.length} ${report.problems.length === 1 ? 'problem' : 'problems'}.`));
  if (missing !== undefined) lines.push(paint.yellow(`${printable(missing)}.`));
  else if (report.ok) lines.push(paint.green('No problems found.'));
  return `${lines.join('\n')}\n`;
}

function serverRows(server: DoctorReport['server'], paint: Palette): Row[] {
  if (server === null) return [['State', 'not running']];
  const { address, pid, answers, version } = server;
  const process = pid === null ? '' : `, process ${pid}`;
  return [
    ['State', answers ? paint.green(`runs and answers${process}`) : paint.red(`does not answer${process}`)],
    ['Address', printableName(address)],
    ...(version === null ? [] : [['Version', printableName(version)] as Row]),
  ];
}

function minute(time: string): string {
  return showTime(time).slice(0, 16);
}

function renderRows(rows: readonly Row[]): string[] {
  if (rows.length === 0) return ['  none'];
  const width = Math.max(...rows.map(([label]) => label.length));
  return rows.map(([label, value]) => `  ${label.padEnd(width)}  ${value}`);
}

function renderFindings(title: string, findings: readonly Finding[], colour: (text: string) => string): string[] {
  if (findings.length === 0) return [];
  return [
    colour(title),
    ...findings.flatMap(({ what, advice }) => [`  ${printable(what)}.`, `  → ${printable(advice)}.`]),
    '',
  ];
}

function modeText(mode: string | undefined): string {
  return mode === undefined ? '' : `, mode ${mode}`;
}
