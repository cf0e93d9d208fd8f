import { ComponentError, type CroftComponent } from '../services.ts';
import { clockIn } from '../tools/current-date.ts';
import { message, toText } from '../values.ts';

/** The time at which a schedule starts the flow. */
export const scheduleTrigger: CroftComponent = {
  descriptor: {
    type: 'ScheduleTrigger',
    label: 'Schedule',
    description: 'Gives the time at which a schedule started the flow.',
    category: 'input and output',
    icon: 'calendar-clock',
    keywords: ['trigger', 'cron', 'timer', 'daily', 'interval'],
    boundary: 'trigger',
    effects: ['none'],
    fields: [
      {
        name: 'scheduled_at',
        label: 'Time',
        kind: 'text',
        default: '',
        variables: false,
        placeholder: '2026-03-01T09:00:00Z',
        help: 'A sample for trying the flow; empty for now. A schedule of the flow replaces it.',
      },
      {
        name: 'timezone',
        label: 'Time zone',
        kind: 'text',
        default: 'UTC',
        variables: false,
        help: 'A name such as Europe/Vienna. A schedule of the flow replaces it.',
      },
    ],
    outputs: [
      { name: 'output_data', label: 'Time', types: ['Data'] },
      { name: 'text', label: 'Text', types: ['Message'] },
    ],
  },
  run({ inputs, services }) {
    const timezone = String(inputs['timezone']);
    const at = timeOf(toText(inputs['scheduled_at']).trim(), services.now());
    const { date, time, weekday } = clockIn(at, timezone);
    return {
      output_data: { scheduled_at: at.toISOString(), timezone, date, time, weekday },
      text: message(`${weekday}, ${date} ${time} ${timezone}`),
    };
  },
};

function timeOf(text: string, now: Date): Date {
  const at = text === '' ? now : new Date(text);
  if (!Number.isNaN(at.getTime())) return at;
  throw new ComponentError(
    `'${text.slice(0, 100)}' is not a time.`,
    'Write the time as 2026-03-01T09:00:00Z, or leave the field empty.',
  );
}
