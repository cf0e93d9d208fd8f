/** Text as HTML text. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}

/** The page frame. Everything is inline under one nonce: nothing is fetched from anywhere. */
export function layout(title: string, nonce: string, content: string, script = ''): { body: string; nonce: string } {
  const body = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(MARK)}">
<style nonce="${nonce}">${STYLE}</style>
</head>
<body>
<header><span class="mark" aria-hidden="true">${MARK}</span><span class="name">Croft</span></header>
<main>${content}</main>
${script === '' ? '' : `<script nonce="${nonce}">${script}</script>`}
</body>
</html>`;
  return { body, nonce };
}

/** A small enclosed field. */
const MARK =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="#2f7d5b" stroke-width="2" stroke-linejoin="round"><rect x="3" y="3" width="18" height="18" rx="4"/><path d="M8 16c0-4 3.500-7 8-8-.5 5-3.500 8-8 8Z" fill="#2f7d5b" stroke="none"/></svg>';

/** The colours of pages without the studio. */
export const COLOURS = `
:root{color-scheme:light dark;--bg:#fbfbf9;--panel:#fff;--ink:#1c2420;--soft:#5b6660;--line:#e3e6e1;--accent:#2f7d5b;--code:#f3f5f1;--bad:#b3402e}
@media (prefers-color-scheme:dark){:root{--bg:#141815;--panel:#1b201d;--ink:#e7ece8;--soft:#9aa69f;--line:#2c332f;--accent:#62b78e;--code:#222924;--bad:#e58070}}
`;

const STYLE = `${COLOURS}*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--ink);font:15px/1.55 system-ui,-apple-system,"Segoe UI",sans-serif}
header{display:flex;align-items:center;gap:.55rem;max-width:52rem;margin:0 auto;padding:1.75rem 1.25rem .25rem}
.mark svg{width:1.5rem;height:1.5rem;display:block}
.name{font-weight:650;letter-spacing:-.01em;font-size:1.05rem}
main{max-width:52rem;margin:0 auto;padding:.25rem 1.25rem 4rem}
h1{font-size:1.5rem;line-height:1.25;letter-spacing:-.02em;margin:1rem 0 .35rem;font-weight:650}
h2{font-size:1rem;margin:2.25rem 0 .6rem;font-weight:650}
p{margin:.4rem 0;color:var(--soft)}
code,pre{font:13px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
p code,li code,td code{background:var(--code);padding:.1em .35em;border-radius:5px;overflow-wrap:anywhere;color:var(--ink)}
.panel{background:var(--panel);border:1px solid var(--line);border-radius:12px;overflow:hidden}
.facts{display:grid;grid-template-columns:max-content 1fr;gap:.45rem 1.25rem;padding:1rem 1.15rem;margin:1rem 0 0}
.facts dt{color:var(--soft)}
.facts dd{margin:0;overflow-wrap:anywhere}
.tabs{display:flex;gap:.25rem;padding:.5rem .5rem 0;border-bottom:1px solid var(--line);overflow-x:auto}
.tabs button{appearance:none;border:0;background:none;color:var(--soft);font:inherit;padding:.45rem .75rem .6rem;border-bottom:2px solid transparent;cursor:pointer;white-space:nowrap}
.tabs button[aria-selected=true]{color:var(--ink);border-color:var(--accent);font-weight:550}
.config{padding:.85rem 1.15rem 1.1rem}
.config .top{display:flex;justify-content:space-between;align-items:center;gap:1rem;margin-bottom:.6rem;color:var(--soft);font-size:.9rem}
pre{margin:0;background:var(--code);border-radius:8px;padding:.85rem 1rem;overflow-x:auto;tab-size:2}
button.copy{appearance:none;border:1px solid var(--line);background:var(--panel);color:var(--ink);font:inherit;font-size:.88rem;padding:.3rem .75rem;border-radius:8px;cursor:pointer;white-space:nowrap}
button:focus-visible,a:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:6px}
button.copy:hover{border-color:var(--accent)}
table{width:100%;border-collapse:collapse;font-size:.92rem}
td,th{text-align:left;padding:.5rem 1.15rem;border-top:1px solid var(--line);vertical-align:top;overflow-wrap:anywhere}
tr:first-child td,tr:first-child th{border-top:0}
th{color:var(--soft);font-weight:500}
td.time,td.tool{white-space:nowrap;color:var(--soft);width:1%}
td.tool{padding-right:0}
.bad{color:var(--bad)}
.empty{padding:1.1rem 1.15rem;margin:0}
.chips{display:flex;flex-wrap:wrap;gap:.35rem;padding:0;margin:.2rem 0 0;list-style:none}
.chips code{background:var(--code);padding:.15em .5em;border-radius:6px}
[hidden]{display:none}
@media (max-width:34rem){.tabs button{padding:.45rem .5rem .6rem;font-size:.93rem}header,main{padding-left:1rem;padding-right:1rem}.facts{grid-template-columns:1fr;gap:.1rem}.facts dd{margin-bottom:.6rem}td,th{padding:.5rem .85rem}td.time{display:none}}
`;
