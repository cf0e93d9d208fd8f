import type { Policy } from '../policy/policy.ts';
import { programOf } from './program-tools.ts';
import { plainText, wordSet, wordsOf } from './words.ts';
import { MAX_MATCHED } from '../policy/tool-pattern.ts';

/** The kind of a tool, as far as its name shows. Its arguments are checked separately. */
export type ToolKind = 'read' | 'write' | 'shell' | 'code' | 'patch' | 'dispatch' | 'none' | 'unknown';

/** The parts and the meaning of a tool's name. */
export interface ToolName {
  readonly kind: ToolKind;
  /** The words of the name, without the namespace. */
  readonly words: readonly string[];
  /** The tool removes something from its place, so its path must not be the whole root. */
  readonly removes: boolean;
  /** The name has a word for writing. */
  readonly writes: boolean;
  /** The tool types into a running program, and its name does not say that this is a shell. */
  readonly isInput: boolean;
  /** An editor that can also show files, depending on its `command`. */
  readonly isEditor: boolean;
  /** The program the tool is named for, with the words of the name that follow. */
  readonly program: readonly string[] | undefined;
}

/** Names that match only as a whole, because they say too little at the end of a longer name. */
const WHOLE: readonly (readonly [ToolKind, ReadonlySet<string>])[] = [
  [
    'write',
    wordSet(`write edit multiedit replace create delete move rename copy remove save append insert mkdir touch rm mv cp ln
      unlink download screenshot upload memory fswrite fsappend fsreplace newrule gitcommit trash symlink link
      editor filewrite fileedit filecreate filedelete writetofile writetodisk put`),
  ],
  [
    'shell',
    wordSet(`bash shell exec terminal execute cmd powershell pwsh sh zsh run command localshell localshellcall
      shellcall execcommand runcommand executecommand`),
  ],
  [
    'code',
    wordSet(
      'python ipython repl jsrepl node javascript codeexecution codeinterpreter js eval workbench computercontrol',
    ),
  ],
  ['patch', wordSet('patch applypatch applypatchcall applydiff')],
  ['dispatch', wordSet('parallel batch multitooluse calltool dispatch toolcall invoke')],
  [
    'read',
    wordSet(`read ls list glob grep view cat find search fetch ripgrep rg tree stat head tail diagnostics open lsp
      codesearch get`),
  ],
  [
    'none',
    wordSet(`task agent think plan todowrite todoread todo updateplan skill bashoutput killshell killbash taskoutput
      taskstop exitplanmode enterplanmode askuserquestion question webfetch websearch googlewebsearch slashcommand
      sequentialthinking attemptcompletion askfollowupquestion newtask switchmode updatetodolist condense
      savememory finish complete wait sleep`),
  ],
];

/** Names of two or more words, which also match at the end of a longer name (`filesystem_write_file`). */
const ENDINGS: readonly (readonly [ToolKind, ReadonlySet<string>])[] = [
  [
    'dispatch',
    wordSet(`usemcptool callmcptool mcpcalltool calltool calltools mcpexec mcpcall multitooluseparallel batchtool invoketool
      executetool executemcptool runtool usetool callfunction invokefunction multiexecutetool executeaction`),
  ],
  ['patch', wordSet('applypatch applypatchcall applydiff gitapply applyunifieddiff patchfile applychanges')],
  [
    'shell',
    wordSet(`localshell localshellcall shellcall containerexec execcommand runcommand executecommand runshellcommand
      executeshellcommand shellcommand runterminalcmd runterminalcommand executeterminalcommand runinterminal
      terminalcommand writestdin sendkeys runscript startprocess interactwithprocess sendinput sendtoterminal runbash
      executebash bashcommand shellexec terminalexec runshell executescript createandruntask execbash
      executepowershell runpowershell powershellcommand`),
  ],
  [
    'code',
    wordSet('runpython executepython pythonexec executecode runcode codeexecution codeinterpreter evaljs evaluatecode'),
  ],
  [
    'none',
    wordSet(`todowrite todoread updateplan askuserquestion askfollowupquestion attemptcompletion exitplanmode
      enterplanmode websearch webfetch googlewebsearch switchmode newtask updatetodolist sequentialthinking savememory
      bashoutput killshell killbash writetodos managetodolist todolist createplan writetodolist`),
  ],
  [
    'write',
    wordSet(`strreplacebasededittool strreplaceeditor strreplace replacestringinfile multireplacestringinfile
      inserteditintofile editnotebookfile editnotebookcell createnewjupyternotebook notebookedit multiedit
      replacefilecontent multireplacefilecontent replacesymbolbody insertaftersymbol insertbeforesymbol replacelines
      insertatline deletelines replaceregex replacecontent searchreplace searchandreplace insertcontent copypath
      movepath deletepath renamepath createdirectory makedirectory createdir makedir savefile editblock generateimage
      gitcommit gitadd gitcheckout gitinit gitclone gitreset newrule createtextfile writetofile writetodisk editfiles
      createnewworkspace createfolder renamesymbol memorycreate fswrite fsappend smartrelocate saveas`),
  ],
];

const WRITING = wordSet(`write edit create delete remove move rename copy save append insert replace patch modify update
  overwrite put mkdir touch truncate unlink erase trash upload download export make generate store set change add
  chmod chown symlink link extract unzip untar compress zip install apply relocate rewrite`);
const READING = wordSet(`read get list search find view show grep glob fetch query describe count check inspect browse
  status log diff blame head tail stat exists info lookup open cat ls tree outline analyze analyse explain usages
  references definition hover diagnostics errors problems summarize explore locate resolve retrieve load look`);
const FILE_NOUNS = wordSet(`file files directory directories dir dirs folder folders path paths notebook notebooks
  cell cells workspace disk`);
const SHELL_WORDS = wordSet('bash shell powershell pwsh zsh terminal exec cmd sh');
/** Words for programs that read commands, for a name that also has a word for typing. */
const TYPED_INTO = wordSet('pty tty tmux stdin process command console session');
const TYPING = wordSet('write send input type keys text paste');
const SHELLS_TYPED_INTO = wordSet('bash sh zsh shell powershell pwsh terminal tmux');
/** Words for languages and parts of a program, for a name that also has a word for running. */
const PROGRAMS =
  wordSet(`python py python3 ipython jupyter js javascript typescript node deno ruby perl php lua code cell
  snippet script macro`);
const RUNNING = wordSet('run execute exec eval evaluate interpret');
const ALWAYS_CODE = wordSet('applescript osascript jxa repl workbench');
const NOT_RUN = wordSet('review analysis test tests lint format coverage server project package version mode action');
const STOPPING = wordSet('kill stop close end cancel new open');
const REMOVING = wordSet('delete remove move rename rm mv unlink erase trash rmdir relocate relocation');

/**
 * Classifies a tool by its name, in any spelling, below any prefix or namespace (`mcp__x__`, `functions.`,
 * `default_api:`). The name only says what a tool probably does: the arguments reveal a `read` that carries content to
 * write.
 */
export function toolName(name: string, policy: Policy): ToolName {
  const plain = plainText(name);
  const local = plain.split(/__+|[.:/]+/).findLast((part) => part !== '') ?? plain;
  const words = wordsOf(local);
  const all = wordsOf(plain);
  const kind = kindOf(words, all);
  const patterned =
    plain.length > MAX_MATCHED ||
    [...policy.customToolPatterns, ...policy.defaultToolPatterns].some((pattern) => {
      pattern.lastIndex = 0;
      return pattern.test(plain);
    });
  return {
    kind: patterned && (kind === 'read' || kind === 'none' || kind === 'unknown') ? 'write' : kind,
    words,
    removes: words.some((word) => REMOVING.has(word)),
    writes: words.some((word) => WRITING.has(word)),
    isInput: kind === 'shell' && typesIntoProgram(words, all),
    isEditor: /^(?:strreplacebasededittool|strreplaceeditor|texteditor|editor|memory)$/.test(words.join('')),
    program: programOf(words, all),
  };
}

/** `write_stdin`, `interact_with_process`; not `send_to_terminal` or a tool of tmux, where a shell reads the input. */
function typesIntoProgram(words: readonly string[], all: readonly string[]): boolean {
  if (all.some((word) => SHELLS_TYPED_INTO.has(word))) return false;
  const isTyping = words.some((word) => TYPING.has(word) || word === 'interact');
  return isTyping && words.some((word) => TYPED_INTO.has(word) || word === 'keys' || word === 'input');
}

function kindOf(words: readonly string[], all: readonly string[]): ToolKind {
  const whole = words.join('');
  for (const [kind, names] of WHOLE) if (names.has(whole)) return kind;
  // `multi_tool_use.parallel`, `mcp_server_write_file`: use the longest known ending.
  for (let from = 0; from < all.length - 1; from++) {
    const ending = all.slice(from).join('');
    for (const [kind, names] of ENDINGS) if (names.has(ending)) return kind;
  }
  if (ENDINGS.some(([, names]) => names.has(whole)))
    return ENDINGS.find(([, names]) => names.has(whole))?.[0] as ToolKind;
  const has = (set: ReadonlySet<string>): boolean => words.some((word) => set.has(word));
  const isIdle = has(READING) || words.some((word) => /^(?:kill|stop|close|end|cancel)$/.test(word));
  if (!isIdle && !has(NOT_RUN) && (has(ALWAYS_CODE) || (has(RUNNING) && has(PROGRAMS)))) return 'code';
  if (!isIdle && (words.includes('tmux') || (has(TYPED_INTO) && has(TYPING)))) return 'shell';
  if (words.some((word) => SHELL_WORDS.has(word)) && !words.some((word) => READING.has(word) || STOPPING.has(word)))
    return 'shell';
  const writes = words.some((word) => WRITING.has(word));
  if (writes) return words.some((word) => FILE_NOUNS.has(word)) ? 'write' : 'unknown';
  return words.some((word) => READING.has(word)) ? 'read' : 'unknown';
}

/** The operations of an editing tool. */
export type EditorOperation = 'read' | 'write' | 'remove';

/**
 * The operation that this value of a `command` or `operation` names, if it is one of an editing tool and not a shell
 * command.
 */
export function editorOperation(value: string): EditorOperation | undefined {
  const word = wordsOf(value).join('');
  // Modes for opening files.
  if (/^(?:[wax][bt+]*|r[bt]?\+[bt]?)$/i.test(value.trim())) return 'write';
  if (/^(?:view|read|list|search|show|get)$/.test(word)) return 'read';
  if (/^(?:delete|remove|move|rename|unlink)(?:file|dir|directory|folder)?$/.test(word)) return 'remove';
  return /^(?:create|strreplace|insert|write|append|edit|replace|undoedit|update|add|copy|mkdir|overwrite|save)(?:file|dir|directory|folder)?$/.test(
    word,
  )
    ? 'write'
    : undefined;
}
