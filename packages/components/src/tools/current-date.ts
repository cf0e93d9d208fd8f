import { ComponentError, type CroftComponent } from '../services.ts';
import { message } from '../values.ts';

/** The date and time in a time zone. */
export const currentDate: CroftComponent = {
  descriptor: {
    type: 'CurrentDate',
    label: 'Current date',
    description: 'Gives the current date and time in a time zone.',
    category: 'tools',
    icon: 'calendar-clock',
    effects: ['none'],
    fields: [
      {
        name: 'timezone',
        label: 'Time zone',
        kind: 'text',
        default: 'UTC',
        variables: false,
        toolParameter: true,
        help: 'A name such as Europe/Vienna.',
      },
    ],
    outputs: [{ name: 'current_date', label: 'Date', types: ['Message'] }],
  },
  run({ inputs, services }) {
    const zone = String(inputs['timezone']);
    let parts: Intl.DateTimeFormatPart[];
    try {
      const format = new Intl.DateTimeFormat('en-CA', {
        timeZone: zone,
        dateStyle: 'short',
        timeStyle: 'medium',
        hourCycle: 'h23',
      });
      parts = format.formatToParts(services.now());
    } catch {
      throw new ComponentError(
        `'${zone}' is not a time zone.`,
        'Use a name of the IANA list, such as UTC or Europe/Vienna.',
      );
    }
    const part = (type: string) => parts.find((each) => each.type === type)?.value ?? '';
    const date = `${part('year')}-${part('month')}-${part('day')} ${part('hour')}:${part('minute')}:${part('second')}`;
    return { current_date: message(`Current date and time in ${zone}: ${date} ${zoneName(services.now(), zone)}`) };
  },
};

function zoneName(date: Date, timeZone: string): string {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'short' });
  return format.formatToParts(date).find(({ type }) => type === 'timeZoneName')?.value ?? timeZone;
}
