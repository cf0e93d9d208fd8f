import { expect, it } from 'vitest';
import { isVerb, mayAct, meaningOf, wordsOf } from './words.ts';

it('splits names and sentences into words in lower case', () => {
  expect(wordsOf('find_files readFile Box2Go')).toEqual(['find', 'files', 'read', 'file', 'box2', 'go']);
  expect(wordsOf("What's up, Käse?")).toEqual(['whats', 'up', 'käse']);
  expect(wordsOf('Look up and looking up')).toEqual(['lookup', 'and', 'lookup']);
  expect(wordsOf('!')).toEqual([]);
});

it('reads words for the same act and the same thing as one', () => {
  const acts = (text: string) => [...meaningOf(text).acts];
  const things = (text: string) => [...meaningOf(text).things];
  expect(acts('erase')).toEqual(['delete']);
  expect(acts('erase')).toEqual(acts('drop'));
  expect(acts('show')).toEqual(['read', 'list']);
  expect(things('folders')).toEqual(['directory']);
  expect(things('websites')).toEqual(things('website'));
  expect(things('the reports of a class')).toEqual(['report', 'class']);
  expect(things('a b')).toEqual([]);
});

it('takes words that say nothing for no thing and no verb', () => {
  expect(meaningOf('all of the text').things.size).toBe(0);
  expect([isVerb('delete'), isVerb('banana'), isVerb('need')]).toEqual([true, false, false]);
  expect([mayAct('banana'), mayAct('the')]).toEqual([true, false]);
});

it.each([
  ['read', 'read open show display cat print view see contents say says load written contain contains'],
  ['list', 'list show entries ls enumerate'],
  ['find', 'find search look lookup locate grep google where which match matching appear appears glob query'],
  ['write', 'write save store put create make overwrite'],
  ['create', 'create make new open add write raise'],
  ['edit', 'edit replace change swap substitute modify update fix'],
  ['delete', 'delete remove rid erase drop'],
  ['compute', 'calculate compute evaluate computes calculates evaluates much'],
  ['get', 'get give gives tell what whats how fetch fetches download downloads'],
  ['send', 'send sends mail email'],
  ['run', 'run runs execute start launch'],
  ['add', 'add insert place put append'],
  ['connect', 'connect wire link attach join'],
  ['set', 'set configure change adjust'],
  ['build', 'build create make draft design set want need'],
  ['undo', 'undo revert'],
  ['describe', 'describe about explain'],
  ['convert', 'convert converts exchange much'],
])('means %s by each of %s', (act, words) => {
  expect(words.split(' ').filter((word) => !meaningOf(word).acts.has(act))).toEqual([]);
});

it.each([
  ['directory', 'directory folder dir directories folders'],
  ['web', 'web internet online google'],
  ['page', 'page website site webpage'],
  ['time', 'time clock hour clocks hours'],
  ['date', 'date today day days'],
  ['file', 'file document doc files documents docs'],
])('means the thing %s by each of %s', (thing, words) => {
  expect(words.split(' ').map((word) => [...meaningOf(word).things])).toEqual(words.split(' ').map(() => [thing]));
});

it('takes these words for empty', () => {
  const words =
    'a an the of to in on at by for from with and or is are was be it its this that these those me my i you your we us please could would can do does did like want need new all any some every one into out up off as if so not text current name value use used using call called named there here have has his her their them just also now about what whats how where which who whom whose when why number';
  expect(words.split(' ').filter(mayAct)).toEqual([]);
  expect([...meaningOf('bus gas glasses i7 cats').things]).toEqual(['bus', 'gas', 'glasse', 'i7', 'cat']);
});
