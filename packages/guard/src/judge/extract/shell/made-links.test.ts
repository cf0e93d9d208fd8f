import { expect, it } from 'vitest';
import { MadeLinks } from './made-links.ts';
import { outcome, writes } from './testing.ts';

it.each([
  ['ln -s . q; touch q/../x', '. ./../x q q/../x'],
  ['touch q/../x; ln -s . q', '. ./../x q q/../x'],
  ['(ln -s . q); touch q/../x', '. ./../x q q/../x'],
  ['ln -s sub/deep q; touch q/../x', 'q q/../x sub/deep sub/deep/../x'],
  ['ln -s .. d/q; touch d/q/../x', 'd/.. d/../../x d/q d/q/../x'],
  ['ln -s /etc/y q; touch q/../x', '/etc/y/../x /etc/y q q/../x'],
  ['ln -s . q; env -C q/.. touch x', '. ./../x q q/../x'],
  ['ln -s . q; cd -P q/..; touch x', '. ./../x q q/../x'],
  ['ln -s . q; touch /home/me/p/q/../x', '/home/me/p/./../x /home/me/p/q/../x'],
  ['ln -s /a q; touch /home/me/p/q/../x', '/a/../x /home/me/p/q/../x'],
  ['ln -s /a/. /a/q; touch /a/q/../x', '/a/./../x /a/q/../x'],
  ['cd sub && ln -s .. q && touch q/../x', 'sub/.. sub/../../x sub/q sub/q/../x'],
])('links that the command makes: finds what is written by %s', (command, expected) => {
  const found = writes(command).filter((path) => /^(?:[./]|q$|q\/\.\.|d\/|sub\/)/.test(path));
  for (const path of expected.split(' ')) expect(found).toContain(path);
});

it('adds nothing for a path without .. behind a link', () => {
  expect(
    writes('ln -s a q; touch q/x ../y q2/../z').filter((path) => path.includes('x') || path.includes('z')),
  ).toEqual(['q/x', 'q2/../z']);
});

it('follows links of links, and gives up on those that go on for ever', () => {
  const links = new MadeLinks();
  expect(links.namesOf('a/../x')).toEqual([]);
  links.add('a', 'b/c');
  links.add('b/c', '.');
  expect(links.namesOf('a/../x')).toEqual(['b/c/../x', 'b/../x']);
  links.add('r', 'r/../r');
  expect(links.namesOf('r/../x')).toBeUndefined();
  expect(outcome('ln -s r/../r r; touch r/../x')).toContain('too far');
});
