import { randomBytes } from 'node:crypto';
import { layout } from './layout.ts';
import { lockedText } from './locked.ts';

/** The header that carries the page's key. */
export const KEY_HEADER = 'X-Croft-Key';

const nonceOf = () => randomBytes(16).toString('base64');

/** The page without its content: a script fetches the content if this browser has a key. */
export function renderEntrance(): { body: string; nonce: string } {
  const content = `<div id="locked" hidden>${lockedText('no-key')}</div><noscript>This page needs JavaScript.</noscript>`;
  return layout('Croft', nonceOf(), content, SCRIPT);
}

/**
 * Gives this browser its key. The key is in the storage of this address and port, because browsers send a cookie to
 * every port of a host, also to another user's server.
 */
export function renderOpened(key: string): { body: string; nonce: string } {
  const content = '<p>Opening…</p><noscript>This page needs JavaScript.</noscript>';
  return layout(
    'Croft',
    nonceOf(),
    content,
    `localStorage.setItem('croft',${JSON.stringify(key)});location.replace('/')`,
  );
}

/** Fetches the content with the key; then handles tabs, showing the token, copying, and new activity. */
const SCRIPT = `
const ask=(path)=>fetch(path,{headers:{'${KEY_HEADER}':localStorage.getItem('croft')}});
async function enter(){if(!localStorage.getItem('croft'))throw 0;const r=await ask('/page');if(!r.ok)throw 0;document.querySelector('main').innerHTML=await r.text()}
enter().then(start,()=>{document.getElementById('locked').hidden=false});
function start(){
const tabs=[...document.querySelectorAll('[role=tab]')];
function show(tab){for(const t of tabs){const on=t===tab;t.setAttribute('aria-selected',on);t.tabIndex=on?0:-1;document.getElementById(t.getAttribute('aria-controls')).hidden=!on}}
for(const [i,tab] of tabs.entries()){tab.addEventListener('click',()=>show(tab));tab.addEventListener('keydown',(e)=>{const to={ArrowRight:i+1,ArrowLeft:i-1,Home:0,End:-1}[e.key];if(to===undefined)return;const next=tabs.at(to%tabs.length);show(next);next.focus();e.preventDefault()})}
const pres=[...document.querySelectorAll('[data-text]')],masks=pres.map((p)=>p.textContent),reveals=[...document.querySelectorAll('[data-reveal]')];
function reveal(on){for(const [i,p] of pres.entries())p.textContent=on?p.dataset.text:masks[i];for(const b of reveals)b.textContent=on?'Hide token':'Show token'}
for(const b of reveals)b.addEventListener('click',()=>reveal(b.textContent==='Show token'));
for(const button of document.querySelectorAll('[data-copy]'))button.addEventListener('click',async()=>{const text=document.getElementById(button.dataset.copy).dataset.text;try{await navigator.clipboard.writeText(text);button.textContent='Copied'}catch{reveal(true);const r=document.createRange();r.selectNodeContents(document.getElementById(button.dataset.copy));const s=getSelection();s.removeAllRanges();s.addRange(r);button.textContent='Selected'}setTimeout(()=>button.textContent='Copy',1600)});
let shown=document.getElementById('activity').innerHTML;
setInterval(async()=>{if(document.hidden)return;try{const r=await ask('/activity');if(!r.ok)return;const text=await r.text();if(text!==shown){shown=text;document.getElementById('activity').innerHTML=text}}catch{}},3000);
}
`;
