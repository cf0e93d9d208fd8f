import { editable } from './editable.ts';
import { AggregateRows } from './aggregate-rows.ts';
import { CalculatorComponent } from './calculator.ts';
import { ChatInput } from './chat-input.ts';
import { ChatOutput } from './chat-output.ts';
import { CombineText } from './combine-text.ts';
import { FilterRows } from './filter-rows.ts';
import { FirstAvailable } from './first-available.ts';
import { ConditionalRouter } from './if-else.ts';
import { ListItem } from './list-item.ts';
import { LoopComponent } from './loop.ts';
import { MergeData } from './merge-data.ts';
import { ParserComponent } from './parser.ts';
import { PromptTemplate } from './prompt-template.ts';
import { Rerank } from './rerank.ts';
import { SortRows } from './sort-rows.ts';
import { SplitText } from './split-text.ts';
import { Switch } from './switch.ts';
import { TextInput } from './text-input.ts';
import { TextOutput } from './text-output.ts';
import { TextStatistics } from './text-statistics.ts';
import { TypeConverterComponent } from './type-converter.ts';

// The built-in components whose code can be edited: each is a class as users write it.
export const textInput = editable('TextInput', TextInput, {
  category: 'input and output',
  boundary: 'input',
  effects: ['none'],
});
export const textOutput = editable('TextOutput', TextOutput, {
  category: 'input and output',
  boundary: 'output',
  effects: ['none'],
});
export const chatInput = editable('ChatInput', ChatInput, {
  category: 'input and output',
  boundary: 'input',
  effects: ['none'],
});
export const chatOutput = editable('ChatOutput', ChatOutput, {
  category: 'input and output',
  boundary: 'output',
  effects: ['none'],
});
export const promptTemplate = editable('PromptTemplate', PromptTemplate, {
  category: 'processing',
  aliases: ['Prompt', 'Prompt Template'],
  effects: ['none'],
});
export const parser = editable('ParserComponent', ParserComponent, {
  category: 'processing',
  keywords: ['template', 'format', 'data to text'],
  aliases: ['parser', 'Parser'],
  effects: ['none'],
});
export const typeConverter = editable('TypeConverterComponent', TypeConverterComponent, {
  category: 'processing',
  effects: ['none'],
});
export const combineText = editable('CombineText', CombineText, { category: 'processing', effects: ['none'] });
export const splitText = editable('SplitText', SplitText, {
  category: 'processing',
  keywords: ['chunk'],
  effects: ['none'],
});
export const filterRows = editable('FilterRows', FilterRows, { category: 'processing', effects: ['none'] });
export const sortRows = editable('SortRows', SortRows, { category: 'processing', effects: ['none'] });
export const aggregateRows = editable('AggregateRows', AggregateRows, {
  category: 'processing',
  keywords: ['group by', 'sum', 'average', 'count', 'pivot'],
  effects: ['none'],
});
export const mergeData = editable('MergeData', MergeData, {
  category: 'processing',
  keywords: ['join', 'concatenate', 'append', 'union'],
  aliases: ['MergeDataComponent'],
  effects: ['none'],
});
export const listItem = editable('ListItem', ListItem, {
  category: 'processing',
  keywords: ['first', 'last', 'element', 'pick', 'row'],
  effects: ['none'],
});
export const textStatistics = editable('TextStatistics', TextStatistics, {
  category: 'processing',
  keywords: ['word count'],
  effects: ['none'],
});
export const ifElse = editable('ConditionalRouter', ConditionalRouter, {
  category: 'logic',
  aliases: ['IfElse'],
  control: 'router',
  effects: ['none'],
});
export const switchCases = editable('Switch', Switch, {
  category: 'logic',
  keywords: ['case', 'route', 'branch'],
  effects: ['none'],
});
export const loop = editable('LoopComponent', LoopComponent, {
  category: 'logic',
  aliases: ['Loop'],
  control: 'loop',
  effects: ['none'],
});
export const firstAvailable = editable('FirstAvailable', FirstAvailable, {
  category: 'logic',
  aliases: ['Pass'],
  effects: ['none'],
});
export const calculator = editable('CalculatorComponent', CalculatorComponent, {
  category: 'tools',
  aliases: ['Calculator'],
  effects: ['none'],
});
export const rerank = editable('Rerank', Rerank, {
  category: 'knowledge',
  keywords: ['rag', 'relevance', 'bm25'],
  effects: ['none'],
});
