import { expect, it } from 'vitest';
import { DocumentProblem, packMessage, unpackMessage } from './document-job.ts';

it('packs a message with its bytes', () => {
  const { message, bytes } = unpackMessage(packMessage({ kind: 'read', title: 'Größe' }, Buffer.from([0, 1, 255])));
  expect(message).toEqual({ kind: 'read', title: 'Größe' });
  expect([...bytes]).toEqual([0, 1, 255]);
});

it('refuses other bytes', () => {
  const packed = packMessage({ a: 1 }, Buffer.alloc(0));
  expect(() => unpackMessage(packed.subarray(0, packed.length - 1))).toThrow('The message is cut.');
  expect(() => unpackMessage(Buffer.alloc(2))).toThrow(RangeError);
  expect(() => unpackMessage(Buffer.from([0, 0, 0, 1, 123]))).toThrow(SyntaxError);
});

it('says what a person can do', () => {
  expect(new DocumentProblem('It is too large.', 'Split it.')).toMatchObject({
    message: 'It is too large.',
    fix: 'Split it.',
  });
});
