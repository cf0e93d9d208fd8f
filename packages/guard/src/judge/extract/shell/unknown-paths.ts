import type { Call } from './call.ts';
import { changeDirectory, NO_FILE, withoutGlobMarks } from './marks.ts';

/** Programs that only read or tell what they are given; their operands may lie anywhere. */
const READS =
  /^(?:openssl|nm|objdump|readelf|ldd|otool|size|addr2line|c\+\+filt|test|\[|command|hash|man|info|whereis|whatis|apropos|tldr|getconf|getent|locale|lsblk|lscpu|lsmod|lsusb|lspci|findmnt|mountpoint|blkid|namei|pathchk|xmllint|zdiff|zcmp|zless|zmore|bzgrep|xzgrep|sdiff|diff3|colordiff|delta|vimdiff|icdiff|sum|crc32|b3sum|md5|sha\w*sum|shasum|mdls|mdfind|locate|plocate|mediainfo|identify|ffprobe|pdfinfo|pdftotext|javap|ls\w*|dir|vdir|tree|ncdu|dust|duf|fzf|sk|xq|htmlq|gron|miller|mlr|datamash|csvstat|csvlook|csvcut|hexyl|xxd|say|logger|notify-send|printf|echo|shellcheck|hadolint|actionlint|yamllint|pylint|flake8|mypy|pyright|node|python|kill|pkill|renice|strace|pmap|fuser|time|sleep|open|xdg-open|code|cursor|subl|jest|vitest|pytest|tox|nox|ctest|codesign|spctl|gcov|cscope)$/;

/** Directories no project lies in. */
const OUTSIDE =
  /^(?:\/+(?:etc|usr|bin|sbin|lib\w*|opt|boot|root|srv|sys|proc|dev|run|snap|Library|System|Applications|var\/(?!folders|tmp|www))(?:\/|$)|\/+$|\uE003\/?$|\uE003\/\.[^/]|[A-Za-z]:[\\/]+Windows)/i;

/**
 * What a program does that nobody knows is not told by its words; but a path outside among them may be one it writes.
 * The absolute path of the root is not known here, so only places where no project lies count, and what climbs out.
 */
export function checkUnknownPaths({ name, args, state, reader }: Call): void {
  if (READS.test(name)) return;
  for (const { value, written } of args) {
    const text = withoutGlobMarks(/^-[\w-]*=([^]*)$/.exec(value)?.[1] ?? value);
    if (text.startsWith('-') || NO_FILE.test(text) || /\s/.test(text)) continue;
    const climbs = /^\.\.(?:\/|$)/;
    const isOutside =
      OUTSIDE.test(text) ||
      (/(?:^|\/)\.\.(?:\/|$)/.test(text) && state.cwds.some((cwd) => climbs.test(changeDirectory(cwd, text))));
    if (isOutside) reader.undecidable(`It is not known what '${name}' does with '${written.slice(0, 80)}'.`);
  }
}
