/** A command of the composer. Only its exact text is one; anything else is a message. */
export interface SlashCommand {
  readonly text: string;
  readonly name: 'skip-all' | 'new' | 'undo';
  readonly about: string;
}

export const COMMANDS: readonly SlashCommand[] = [
  { text: '/skip-all', name: 'skip-all', about: 'Use plans and built flows without asking; again to turn it off' },
  { text: '/new', name: 'new', about: 'Begin a new conversation' },
  { text: '/undo', name: 'undo', about: 'Revert what the last message changed' },
];

/** The command of a message; undefined for a message to the assistant. */
export const commandOf = (message: string): SlashCommand | undefined =>
  COMMANDS.find(({ text }) => text === message.trim());

/** The commands that a text may become. */
export const commandsFor = (text: string): readonly SlashCommand[] =>
  text.startsWith('/') ? COMMANDS.filter((each) => each.text.startsWith(text) && each.text !== text) : [];
