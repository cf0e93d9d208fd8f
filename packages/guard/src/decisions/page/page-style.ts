/** The look of the decisions page, the same as that of `croft serve`. Light and dark, from a phone's width up. */
export const PAGE_STYLE = `
:root{color-scheme:light dark;--bg:#fbfbf9;--panel:#fff;--ink:#1c2420;--soft:#5b6660;--line:#e3e6e1;--accent:#2f7d5b;--code:#f3f5f1;--bad:#b3402e;--badbg:#fbeeea;--warn:#7d5a00;--warnbg:#faf3df;--okbg:#e9f4ee;--ok:#256b4c}
@media (prefers-color-scheme:dark){:root{--bg:#141815;--panel:#1b201d;--ink:#e7ece8;--soft:#9aa69f;--line:#2c332f;--accent:#62b78e;--code:#222924;--bad:#e99080;--badbg:#33211d;--warn:#e0bd6a;--warnbg:#2e2818;--okbg:#1d2c25;--ok:#7cc7a1}}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--ink);font:15px/1.55 system-ui,-apple-system,"Segoe UI",sans-serif}
header{display:flex;align-items:center;gap:.55rem;max-width:56rem;margin:0 auto;padding:1.75rem 1.25rem .25rem}
.mark svg{width:1.5rem;height:1.5rem;display:block}
.name{font-weight:650;letter-spacing:-.01em;font-size:1.05rem}
.name span{color:var(--soft);font-weight:450}
main{max-width:56rem;margin:0 auto;padding:.25rem 1.25rem 4rem}
h1{font-size:1.5rem;line-height:1.25;letter-spacing:-.02em;margin:1rem 0 .35rem;font-weight:650}
p{margin:.4rem 0;color:var(--soft)}
code,pre{font:13px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
p code,.paths code{background:var(--code);padding:.1em .35em;border-radius:5px;overflow-wrap:anywhere;color:var(--ink)}
.notice{border-radius:10px;padding:.6rem .9rem;margin:.9rem 0 0;background:var(--warnbg);color:var(--warn)}
.stats{display:flex;flex-wrap:wrap;gap:.35rem 1.6rem;margin:.9rem 0 1.35rem;padding:0;list-style:none;color:var(--soft)}
.stats b{color:var(--ink);font-weight:650;font-variant-numeric:tabular-nums}
.filters{display:flex;flex-wrap:wrap;gap:.6rem;align-items:center;margin:0 0 .75rem}
.choice{display:flex;border:1px solid var(--line);border-radius:9px;background:var(--panel);overflow:hidden}
.choice button{appearance:none;border:0;background:none;color:var(--soft);font:inherit;font-size:.92rem;padding:.32rem .85rem;cursor:pointer}
.choice button+button{border-left:1px solid var(--line)}
.choice button[aria-pressed=true]{background:var(--code);color:var(--ink);font-weight:550}
.filters label{display:flex;align-items:center;gap:.4rem;color:var(--soft);font-size:.92rem}
select{appearance:none;font:inherit;color:var(--ink);background:var(--panel);border:1px solid var(--line);border-radius:9px;padding:.3rem 1.9rem .3rem .75rem;max-width:13rem;background-image:linear-gradient(45deg,transparent 50%,var(--soft) 50%),linear-gradient(-45deg,transparent 50%,var(--soft) 50%);background-position:right 1rem center,right .7rem center;background-size:.3rem .3rem;background-repeat:no-repeat;text-overflow:ellipsis;cursor:pointer}
.panel{background:var(--panel);border:1px solid var(--line);border-radius:12px;overflow:hidden;list-style:none;margin:0;padding:0}
.panel>li{padding:.85rem 1.15rem .9rem;border-top:1px solid var(--line)}
.panel>li:first-child{border-top:0}
.top{display:flex;align-items:baseline;gap:.55rem;flex-wrap:wrap}
.tool{font:600 14px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;overflow-wrap:anywhere;min-width:0}
.chip{font-size:.8rem;padding:.05rem .5rem;border-radius:6px;white-space:nowrap}
.chip.block{background:var(--badbg);color:var(--bad)}
.chip.allow{background:var(--okbg);color:var(--ok)}
.chip.times{background:var(--code);color:var(--ink)}
.chip.unsure{background:var(--warnbg);color:var(--warn)}
.who{color:var(--soft);font-size:.88rem;margin-left:auto;overflow-wrap:anywhere}
.why{margin:.3rem 0 0;color:var(--ink);overflow-wrap:anywhere}
.paths{margin:.35rem 0 0;padding:0;list-style:none;font-size:.88rem;color:var(--soft)}
.paths li{margin:.15rem 0;overflow-wrap:anywhere}
.more{margin-top:.55rem}
.copy{appearance:none;border:1px solid var(--line);background:var(--panel);color:var(--ink);font:inherit;font-size:.88rem;padding:.3rem .75rem;border-radius:8px;cursor:pointer}
.copy:hover{border-color:var(--accent)}
button:focus-visible,select:focus-visible,pre:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:6px}
.offer{margin-top:.6rem}
.offer .row{display:flex;gap:.5rem;margin-top:.55rem}
pre{margin:.5rem 0 0;background:var(--code);border-radius:8px;padding:.75rem .95rem;overflow-x:auto;tab-size:2}
.panel>.empty{padding:1.6rem 1.15rem;color:var(--soft)}
.empty b{display:block;color:var(--ink);font-weight:600;margin-bottom:.15rem}
[hidden]{display:none!important}
@media (max-width:34rem){header,main{padding-left:1rem;padding-right:1rem}.panel>li{padding:.8rem .9rem}.who{margin-left:0;width:100%}.filters label{flex:1 1 40%}select{width:100%;max-width:none}.choice{width:100%}.choice button{flex:1}}
`;
