/** The header that carries the page's key. */
export const KEY_HEADER = 'X-Croft-Key';

/**
 * The script of the page. While the page is visible, it requests the decisions with this browser's key every two
 * seconds and shows them. It inserts every value as text, never as markup. It uses only syntax that browsers have
 * supported for years.
 */
export const PAGE_SCRIPT = `
'use strict';
const $=(id)=>document.getElementById(id);
const KEY='croft-guard',EVERY=2000;
const filter={decision:'block',agent:'',tool:''};
const opened=new Set();
let shown='',rows=new Map();
function make(tag,className,...content){const e=document.createElement(tag);if(className)e.className=className;e.append(...content);return e}
function button(text,act){const b=make('button','copy',text);b.type='button';b.addEventListener('click',act);return b}
function count(n,one,many){return n===1?'1 '+one:n.toLocaleString('en')+' '+many}
function lock(){$('locked').hidden=false;$('page').hidden=true}
async function load(){
  const key=localStorage.getItem(KEY);
  if(!key)return lock();
  const query=new URLSearchParams({limit:'200'});
  for(const [name,value] of Object.entries(filter))if(value)query.set(name,value);
  let answer;
  try{answer=await fetch('/guard/decisions?'+query,{headers:{'${KEY_HEADER}':key},cache:'no-store'})}catch{$('gone').hidden=false;return}
  $('gone').hidden=!(answer.status>=500);
  if(answer.status===401||answer.status===403)return lock();
  if(!answer.ok)return;
  const text=await answer.text();
  $('locked').hidden=true;$('page').hidden=false;
  if(text===shown)return;
  shown=text;
  show(JSON.parse(text));
}
function show({decisions,totals,kept,facts,agents,tools}){
  const {allowed,blocked,undecidable,dryRun,errors,unwritten,unreachable}=totals;
  const isDry=facts.mode==='dry-run';
  $('headline').textContent=facts.enabled?headline(kept,isDry):'The guard is off';
  $('stopped').textContent=kept.dryRun===0&&!isDry?'Blocked':kept.blocked===0?'Would be blocked':'Blocked or dry run';
  const where=facts.roots.length===0?[make('span','','No project directory is known, so no tool call passes.')]:['Writing is allowed in ',...facts.roots.flatMap((root,i)=>[i?', ':'',make('code','',root)]),facts.newTemporary?', and in new files of the system’s temporary directory. ':'. ',facts.strict?'Strict mode: calls that the guard cannot judge are blocked.':'Default mode: calls that the guard cannot judge pass, and are marked.'];
  $('where').replaceChildren(...(facts.enabled?where:['Every call passes.']));
  $('dry').hidden=!(facts.enabled&&isDry);
  $('unwritten').hidden=unwritten===0;
  const stats=[[allowed,'allowed'],[blocked-dryRun,'blocked'],...(isDry||dryRun?[[dryRun,'would be blocked']]:[]),[undecidable,'undecidable'],...(errors?[[errors,'errors of the guard']]:[]),...(unreachable?[[unreachable,'times an upstream was not reached']]:[])];
  $('stats').replaceChildren(make('li','','Since the start:'),...stats.map(([n,name])=>make('li','',make('b','',n.toLocaleString('en')),' '+name)),...(kept.blocked+kept.dryRun>blocked?[make('li','','The list also has earlier calls.')]:[]));
  options('agent',agents);options('tool',tools);
  list(decisions);
}
// A call of a dry run was not blocked: it passed.
function headline({calls,blocked,dryRun},isDry){
  if(blocked+dryRun===0)return isDry?'Nothing would have been blocked':'Nothing was blocked';
  const n=blocked||dryRun,would='would have been blocked';
  const did=blocked===0?would:blocked===1?'was blocked':'were blocked';
  const more=blocked&&dryRun?', and '+dryRun.toLocaleString('en')+' '+would+' in a dry run':'';
  return (calls>=1000?n.toLocaleString('en')+' of the last 1,000 calls ':count(n,'call','calls')+' ')+did+more;
}
function list(decisions){
  const ul=$('list'),known=rows,calls=decisions.map(callOf);
  rows=new Map();
  // The oldest call of a row never changes while calls are added, so its id names the row.
  for(let from=0,to;from<decisions.length;from=to){
    for(to=from+1;calls[to]===calls[from];)to++;
    const newest=decisions[from],oldest=decisions[to-1],one=known.get(oldest.id)||row(oldest);
    one.update(newest,to-from,calls.includes(calls[from],to));
    rows.set(oldest.id,one);
  }
  const next=decisions.length?[...rows.values()].map((one)=>one.li):[empty()];
  const keep=new Set(next);
  for(const li of [...ul.children])if(!keep.has(li))li.remove();
  let at=ul.firstChild;
  // Leave existing rows in place, so that focus and selection stay where they are.
  for(const li of next)if(li===at)at=at.nextSibling;else ul.insertBefore(li,at);
}
function options(name,values){
  const select=$(name);
  if(filter[name]&&!values.includes(filter[name]))values=[...values,filter[name]];
  const known=[...select.options].slice(1).map((o)=>o.value);
  if(known.join('\\n')!==values.join('\\n')){select.replaceChildren(select.options[0],...values.map((v)=>{const o=make('option','',v);o.value=v;return o}));select.value=filter[name]}
  select.parentElement.hidden=values.length===0;
}
function empty(){
  const any=filter.agent||filter.tool;
  const [head,text]=any?['Nothing fits','Choose another agent or tool to see more.']:filter.decision==='block'?['','When an agent tries to write outside the project, it shows here: what it was, why it was stopped, and by which rule.']:['No call was judged yet','Point an agent at the guard; every tool call it makes shows here.'];
  return make('li','empty',...(head?[make('b','',head)]:[]),text);
}
// What the row of a blocked call shows, beside its time: calls with the same text are repeats.
function callOf(d){return d.decision==='block'?JSON.stringify([d.mode,d.rule,d.agent,d.tool,d.reason,d.paths]):d.id}
function row(d){
  const isBlock=d.decision==='block';
  const chip=isBlock?(d.mode==='dry-run'?'dry run: '+d.rule:d.rule):d.undecidable?'allowed, undecidable':'allowed';
  const time=make('time'),times=make('span','chip times'),before=make('span');
  const who=make('span','who',[d.agent,d.model,d.wire].filter(Boolean).join(' · ')+' · ',time);
  const li=make('li','',make('div','top',make('span','tool',d.tool||'(no name)'),make('span','chip '+(isBlock?'block':d.undecidable?'unsure':'allow'),chip),times,who));
  if(isBlock||d.undecidable)li.append(make('p','why',d.reason,before));
  const other=({written,read_as})=>read_as&&read_as!==written;
  // The paths that decided, without those that the reason already names.
  const paths=d.paths.filter((p)=>(!isBlock||!p.inside||d.rule!=='outside-path')&&(!isBlock||other(p)||!d.reason.includes("'"+p.written+"'"))).slice(0,6);
  if(paths.length)li.append(make('ul','paths',...paths.map((p)=>make('li','',make('code','',p.written),' '+(p.inside?'inside':'outside')+(other(p)?', read as ':''),...(other(p)?[make('code','',p.read_as)]:[])))));
  if(d.allow)li.append(offer(d));
  return {li,update(newest,count,isRepeat){
    const at=new Date(newest.time);
    time.textContent=(at.toDateString()===new Date().toDateString()?'':at.toLocaleDateString('en',{month:'short',day:'numeric'})+', ')+at.toLocaleTimeString('en',{hour12:false});
    time.dateTime=time.title=newest.time;
    times.hidden=count===1;times.textContent=count+' times';
    before.textContent=isRepeat?(/[.!?]$/.test(d.reason)?'':'.')+' The agent tried the same before.':'';
  }};
}
function offer({id,allow}){
  const box=make('div','offer'),pre=make('pre','',allow.yaml);
  pre.tabIndex=0;
  const copy=button('Copy',async()=>{try{await navigator.clipboard.writeText(allow.yaml);copy.textContent='Copied'}catch{const r=document.createRange();r.selectNodeContents(pre);const s=getSelection();s.removeAllRanges();s.addRange(r);copy.textContent='Selected'}setTimeout(()=>copy.textContent='Copy',1600)});
  box.append(make('p','',allow.says),make('p','','Put this into your own ',make('code','','croft.config.yaml'),' (in ~/.croft, or the one given with --config; the project’s can only tighten), and start the guard again. Nothing changes until you do.'),pre,make('div','row',copy));
  const toggle=button('',()=>{if(!opened.delete(id))opened.add(id);set()});
  const set=()=>{const on=opened.has(id);box.hidden=!on;toggle.setAttribute('aria-expanded',on);toggle.textContent=on?'Close':'Allow this path for this project…'};
  set();
  return make('div','more',toggle,box);
}
for(const b of document.querySelectorAll('[data-decision]'))b.addEventListener('click',()=>{filter.decision=b.dataset.decision;for(const o of document.querySelectorAll('[data-decision]'))o.setAttribute('aria-pressed',o===b);void load()});
for(const name of ['agent','tool'])$(name).addEventListener('change',()=>{filter[name]=$(name).value;void load()});
document.addEventListener('visibilitychange',()=>{if(!document.hidden)void load()});
setInterval(()=>{if(!document.hidden)void load()},EVERY);
void load();
`;
