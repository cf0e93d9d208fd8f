import type { Reader } from './call.ts';
import { CMDLETS, VERB } from './cmdlets.ts';
import { hasSubexpression, type Token } from './powershell-tokens.ts';

/** Cmdlets and aliases that change no file, whatever their arguments are. */
export const READS =
  /^(?:(?:get|select|where|sort|group|measure|compare|test|join|split|convert|convertto|convertfrom|resolve|find|search|show|read)-\w+|write-(?:host|output|error|warning|verbose|debug|information|progress)|foreach-object|format-(?:table|list|wide|custom|hex)|out-(?:host|null|string|default|gridview)|import-(?:csv|clixml)|new-(?:guid|timespan)|start-sleep|gc|cat|type|gci|ls|dir|gi|gp|gl|pwd|sls|select|where|\?|foreach|%|sort|group|measure|compare|ft|fl|fw|rvpa|cvpa|gm|gcm|gps|ps|gsv|gv|echo|write|sleep|man|help)$/;

/** Keywords that a condition in parentheses follows. */
const CONDITION = /^(?:if|elseif|while|until|switch|foreach|for|param|catch)$/i;
/** Keywords that a statement follows. */
const BEFORE = /^(?:return|throw|exit|else|do|try|finally|in|begin|process|end)$/i;

/** Methods that change no file, and types whose static methods change none. */
const PURE_METHODS =
  /^(?:read\w*|exists|get\w*|enumerate\w*|openread|opentext|replace|trim\w*|split|substring|tostring|toupper\w*|tolower\w*|startswith|endswith|contains\w*|indexof|lastindexof|pad\w+|insert|equals|compareto|join|format|concat|isnullor\w+|parse|where|add\w*|count|matches?|round|floor|ceiling)$/i;
const PURE_TYPES =
  /^\[(?:system\.)?(?:io\.path|math|string|char|int\d*|long|double|decimal|datetime|timespan|guid|convert|version|uri|array|regex|bitconverter|text\.\w+(?:\.\w+)?)\]::/i;

/** A command while its tokens are read. */
interface Command {
  /** Its name in lower case. Undefined before it is known, and for an expression. */
  head: string | undefined;
  isExpression: boolean;
  /** `&` or `.`: the next word or group names the program. */
  isInvoked: boolean;
  /** A keyword before a condition. */
  isCondition: boolean;
  /** A redirection whose target follows. */
  isRedirected: boolean;
  last: Token | undefined;
}

const fresh = (): Command => ({
  head: undefined,
  isExpression: false,
  isInvoked: false,
  isCondition: false,
  isRedirected: false,
  last: undefined,
});

/**
 * Reports commands with a part that PowerShell computes: parentheses, a splat (`@name`), a subexpression (`$(…)`). The
 * guard does not evaluate PowerShell, so such a part may be any path, or any command. A command that only reads may
 * have them anywhere, and so may an expression that a pipeline begins with.
 *
 * @param isGuess the text may be another shell's: report only if a command in it has a cmdlet's name
 */
export function noteComputed(
  tokens: readonly Token[],
  aliases: ReadonlyMap<string, string>,
  reader: Reader,
  isGuess: boolean,
): void {
  const outer: Command[] = [];
  let command = fresh();
  let hasCmdlet = !isGuess;
  const reasons: string[] = [];
  const computed = (): void => {
    const { head, isExpression, isInvoked, isRedirected } = command;
    if (isRedirected) reasons.push('The target of a redirection is computed.');
    else if (isInvoked && head === undefined) reasons.push('The command that runs is computed.');
    else if (head !== undefined && !READS.test(aliases.get(head) ?? head))
      reasons.push(`PowerShell computes an argument of '${head}'.`);
    if (head === undefined && !isInvoked && !isRedirected) command.isExpression = true;
    else if (!isExpression) command.isRedirected = false;
  };
  for (const [at, token] of tokens.entries()) {
    const { text } = token;
    if (token.isOperator && text === '(') {
      if (command.isCondition) command.isCondition = false;
      else if (command.isExpression && !command.isRedirected) {
        if (token.isAttached === true && (isUnknownMember(command.last) || isOpenCall(command.last, tokens, at)))
          reasons.push('It is not known what a method of PowerShell writes.');
      } else computed();
      outer.push(command);
      command = fresh();
    } else if (token.isOperator && text === ')') command = outer.pop() ?? fresh();
    else if (token.isOperator && text === '&' && isAtStart(command)) command = { ...fresh(), isInvoked: true };
    else if (token.isOperator && /^[;|&\n{}]+$/.test(text)) {
      // `-Path { … }`: the cmdlet runs the block for each object, to get the value.
      if (text === '{' && CMDLETS[aliases.get(command.head ?? '') ?? command.head ?? ''] !== undefined) computed();
      command = fresh();
    } else if (token.isOperator) command.isRedirected = !/&\d$/.test(text);
    else {
      readWord(command, token, computed);
      hasCmdlet ||= command.head !== undefined && VERB.test(command.head);
    }
    command.last = token;
  }
  if (hasCmdlet) for (const reason of reasons) reader.undecidable(reason);
}

function isAtStart({ head, isExpression, isInvoked }: Command): boolean {
  return head === undefined && !isExpression && !isInvoked;
}

function readWord(command: Command, token: Token, computed: () => void): void {
  const { text } = token;
  if (/^@[\w:]+$/.test(token.written) || hasSubexpression(token.written)) return computed();
  if (command.isRedirected) command.isRedirected = false;
  else if (command.isExpression) {
    // `$x = …`, `$x in …`: what follows is a statement of its own.
    if (/^(?:[-+*/%]?=|in)$/i.test(text)) Object.assign(command, fresh());
  } else if (command.head !== undefined) return;
  else if (text === '.') command.isInvoked = true;
  else if (CONDITION.test(text)) command.isCondition = true;
  else if (BEFORE.test(text)) return;
  else if (!command.isInvoked && /^['"\d$[@!+,-]/.test(token.written)) {
    const value = /^(?:\[[^\]]*\])*\$[\w:.]+[-+*/%]?=(.*)$/s.exec(token.written)?.[1];
    if (value === undefined) command.isExpression = true;
    else if (/^[a-z]/i.test(value)) command.head = value.toLowerCase();
    else if (value !== '') command.isExpression = true;
  } else {
    command.head = text
      .toLowerCase()
      .replace(/^.*[\\/]/, '')
      .replace(/\.exe$/, '');
  }
}

/** `$x.'Delete'(`, `$x.$name(`, `$x.(…)`: a member whose name is quoted or computed. */
function isUnknownMember(name: Token | undefined): boolean {
  return /(?:::|\.)(?:["'$][^.:]*)?$/.test(name?.written ?? '');
}

/** Whether the parentheses at `at` hold computed arguments of a method that may write. */
function isOpenCall(name: Token | undefined, tokens: readonly Token[], at: number): boolean {
  const [, method] = /(?:::|\.)(\w+)$/.exec(name?.text ?? '') ?? [];
  if (name === undefined || method === undefined) return false;
  if (PURE_TYPES.test(name.text) || PURE_METHODS.test(method)) return false;
  // `readMethods` reads the static methods of `IO` types.
  if (name.text.includes('::') && !/^\[(?:system\.)?io\.[\w.]+\]::/i.test(name.text)) return true;
  for (const token of tokens.slice(at + 1)) {
    if (token.isOperator) return token.text !== ')';
    const bare = token.written.replace(/'[^']*'|"(?:[^"`]|`[^])*"/g, '');
    if (/[^\w$.,:\\/[\]]/.test(bare) || hasSubexpression(token.written)) return true;
  }
  return true;
}
