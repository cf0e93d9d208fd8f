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
    const { date, time } = clockIn(services.now(), zone);
    return {
      current_date: message(`Current date and time in ${zone}: ${date} ${time} ${zoneName(services.now(), zone)}`),
    };
  },
};

/** Date, time and weekday in a time zone. @throws ComponentError for a wrong zone */
export function clockIn(
  at: Date,
  zone: string,
): { readonly date: string; readonly time: string; readonly weekday: string } {
  let parts: Intl.DateTimeFormatPart[];
  try {
    const format = new Intl.DateTimeFormat('en-CA', {
      timeZone: zone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      weekday: 'long',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
    });
    parts = format.formatToParts(at);
  } catch {
    throw new ComponentError(
      `'${zone}' is not a time zone.`,
      'Use a name of the IANA list, such as UTC or Europe/Vienna.',
    );
  }
  const part = (type: string) => parts.find((each) => each.type === type)?.value ?? '';
  return {
    date: `${part('year')}-${part('month')}-${part('day')}`,
    time: `${part('hour')}:${part('minute')}:${part('second')}`,
    weekday: part('weekday'),
  };
}

function zoneName(date: Date, timeZone: string): string {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'short' });
  return format.formatToParts(date).find(({ type }) => type === 'timeZoneName')?.value ?? timeZone;
}
