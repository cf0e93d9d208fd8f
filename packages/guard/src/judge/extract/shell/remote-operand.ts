import { type Field, withoutGlobMarks } from './marks.ts';

/** Whether an operand is a path on another machine, such as `host:path`. */
export function isRemote({ value }: Field): boolean {
  const text = withoutGlobMarks(value);
  return (
    /^(?:[\w.-]+@)?(?:[\w.-]{2,}|\[[^\]/]+\]):(?!\\)|^rsync:\/\/|^ssh:\/\/|^scp:\/\//.test(text) ||
    /^[\w.-]+@[\w.-]+:|^[^/:]*[\uE000\uE001][^/:]*:/.test(text)
  );
}

/** The host in `user@host:path` and `scp://user@host/path`. */
export function hostOf(to: Field): string {
  const value = withoutGlobMarks(to.value);
  const address =
    /^\w+:\/\/([^/]*)/.exec(value)?.[1] ?? /^[^@/]*@?\[[^\]]*\]/.exec(value)?.[0] ?? value.replace(/:.*$/s, '');
  return address.replace(/^.*@/s, '').replace(/:\d+$/, '');
}
