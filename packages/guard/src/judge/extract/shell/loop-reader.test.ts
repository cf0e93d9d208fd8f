import { expect, it } from 'vitest';
import { writes } from './testing.ts';

it.each([
  ['until cd nothing; do touch ../x; break; done', '../x nothing/../x nothing/nothing/../x'],
  ['while a && cd .. && b; do c; done; touch x', '../../../x ../../x ../x x'],
  ['while cd ..; do touch x; break; done', '../../../x ../../x ../x'],
  ['while a; do cd ..; done; touch x', '../../../x ../../x ../x x'],
  ['for i in $X; do cd ..; done; touch x', '../../../x ../../x ../x x'],
  ['while a; do X=..; done; touch $X/x', '../x'],
  ['case a in a) cd ..;& b) touch x;; esac', '../x x'],
  ['case a in a) cd ..;;& b) touch x;; esac', '../x x'],
  ['case a in a) cd ..;; b) touch x;; esac', 'x'],
])('loops: finds what is written by %s', (command, expected) => {
  expect(writes(command).toSorted().join(' ')).toBe(expected);
});
