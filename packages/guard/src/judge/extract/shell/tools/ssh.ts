import { hostname } from 'node:os';
import type { Call, Handler } from '../call.ts';
import type { Field } from '../marks.ts';
import { parseOptions, understand } from '../options.ts';

/** Settings that name neither a file to write nor a program on this machine. */
const HARMLESS =
  /^(?:StrictHostKeyChecking|ConnectTimeout|ConnectionAttempts|BatchMode|LogLevel|ServerAlive\w+|TCPKeepAlive|IdentityFile|IdentitiesOnly|Port|User|HostName|HostKeyAlgorithms|PubkeyAcceptedKeyTypes|PubkeyAcceptedAlgorithms|PubkeyAuthentication|PasswordAuthentication|PreferredAuthentications|Compression|Ciphers|MACs|KexAlgorithms|AddressFamily|RequestTTY|ForwardAgent|ForwardX11|ProxyJump|NumberOfPasswordPrompts|CheckHostIP|ControlMaster|ControlPersist|SendEnv|SetEnv|UpdateHostKeys|VisualHostKey|ExitOnForwardFailure|GSSAPIAuthentication|KbdInteractiveAuthentication|RemoteCommand)[ =]/i;

/** Records what options of ssh and scp run or write on this machine. */
export function checkSshOptions({ state, reader }: Call, settings: readonly Field[], files: readonly Field[]): void {
  for (const { value } of settings) {
    const command = /^(?:ProxyCommand|LocalCommand|KnownHostsCommand)[ =]+(.*)$/is.exec(value.trim())?.[1];
    if (command !== undefined) {
      reader.runText([command], state.copy());
      reader.undecidable('An option of ssh runs a command.');
    } else if (!HARMLESS.test(value.trim()) && !/^(?:User|Global)KnownHostsFile[ =]\/dev\/null$/i.test(value.trim()))
      reader.undecidable('An option of ssh names a file it writes or reads.');
  }
  for (const { written } of files)
    if (!/^(?:none|\/dev\/null)$/.test(written)) reader.undecidable('ssh reads its options from a file.');
}

/** A name of this machine. */
const HERE =
  /^(?:.*@)?\[?(?:localhost\b.*|.*\.local(?:host|domain)|127\.[\d.]+|0(?:\.0)*|0x7f\w*|::1|::ffff:127\..*|2130706433)\]?$/i;

/** Whether a host is this machine, or may be because the name is unknown. */
export function isThisMachine(host: string): boolean {
  return (
    host === '' || HERE.test(host) || host.toLowerCase() === hostname().toLowerCase() || /[\uE000-\uE00F$`]/.test(host)
  );
}

/** Handles ssh. A remote command acts on another machine, unless the host is this one; options of ssh act here. */
export const runSsh: Handler = (call) => {
  const { args, state, reader } = call;
  const { operands, values, isOpen } = parseOptions(args, {
    values: '-b -B -c -D -E -e -F -I -i -J -L -l -m -O -o -p -P -Q -R -S -W -w',
    stopsAtOperand: true,
  });
  // The host, and words of the remote command.
  understand(...operands);
  for (const file of values('-E')) reader.write(state, file);
  for (const file of values('-S')) if (file.value !== 'none') reader.write(state, file);
  for (const file of values('-i')) reader.read(state, file);
  // A path in a forwarding is a socket that ssh creates.
  for (const forward of values('-L', '-D')) {
    const socket = /^(?:[/~.\uE003][^:]*)/.exec(forward.value)?.[0];
    if (socket !== undefined) reader.write(state, { value: socket, written: forward.written });
  }
  checkSshOptions(call, values('-o'), values('-F'));
  if (values('-I').length > 0) reader.undecidable('ssh loads a library.');
  const host = operands[0]?.value.replace(/^ssh:\/\/(?:[^@/]*@)?([^:/]*).*$/i, '$1') ?? '';
  const bare = host.replace(/^.*@/s, '');
  if (isOpen || (operands.length > 0 && isThisMachine(bare)))
    reader.undecidable('The command may run on this machine, by another way.');
  return undefined;
};
