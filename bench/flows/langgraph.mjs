// The same graph in LangGraph.js: node --expose-gc langgraph.mjs SHAPE COUNT
import { Annotation, END, START, StateGraph } from '@langchain/langgraph';
import { edgesOf, measureOnce } from './flow-of.mjs';

const [shape, count] = [process.argv[2], Number(process.argv[3])];
const State = Annotation.Root({ value: Annotation({ reducer: (_, next) => next, default: () => 0 }) });
let finished = 0;
const noop = () => {
  finished += 1;
  return { value: 1 };
};
await measureOnce(async () => {
  const graph = new StateGraph(State);
  for (let i = 0; i < count; i += 1) graph.addNode(`n${i}`, noop);
  for (const [from, to] of edgesOf(shape, count)) graph.addEdge(`n${from}`, `n${to}`);
  graph.addEdge(START, 'n0').addEdge(`n${count - 1}`, END);
  await graph.compile().invoke({ value: 0 }, { recursionLimit: count + 10 });
  return finished;
});
