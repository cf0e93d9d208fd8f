import type { Call } from '../call.ts';

/** Settings of `-c` and `git config` that change only the display or the author. */
const HARMLESS_CONFIG =
  /^(?:user\.|author\.|committer\.|color\.|advice\.|init\.defaultBranch|core\.(?:quotepath|autocrlf|eol|safecrlf|filemode|ignorecase|longpaths|abbrev|precomposeunicode|compression|commentchar|symlinks)|commit\.gpgsign|tag\.gpgsign|gpg\.format|diff\.(?:algorithm|renames|context|noprefix|mnemonicprefix|colormoved|renamelimit|wserrorhighlight)|log\.|merge\.(?:conflictstyle|ff|renames|stat)|pull\.|push\.(?:default|autosetupremote|followtags)|rebase\.(?:autostash|autosquash|abbreviatecommands|updaterefs)|fetch\.|branch\.|remote\.[^.]+\.(?:url|fetch|pushurl)|status\.|column\.|help\.(?:autocorrect|format)|http\.(?:version|postbuffer|lowspeed\w+|extraheader|sslverify|followredirects)|safe\.directory|gc\.auto|feature\.|index\.|pack\.|protocol\.version|rerere\.|submodule\.recurse|versionsort\.|tag\.sort|interactive\.singlekey|maintenance\.auto)/i;

/** Reports a setting, `key=value`, that may decide what git runs or where it writes. */
export function checkConfig(setting: string, reader: Call['reader']): void {
  const [key = '', value = ''] = setting.split(/=(.*)/s);
  const isHarmless =
    HARMLESS_CONFIG.test(key) ||
    (/^(?:core\.pager|pager\.\w+|core\.editor|sequence\.editor)$/i.test(key) &&
      /^(?:cat|true|:|less|false|vim|vi|nano|)$/.test(value)) ||
    (/^credential\.helper$/i.test(key) && /^(?:cache|store|)$/.test(value)) ||
    (/^core\.(?:hookspath|fsmonitor)$/i.test(key) && /^(?:\/dev\/null|false|true|)$/.test(value));
  if (!isHarmless) reader.undecidable(`The setting '${key}' may decide what git runs or where it writes.`);
}
