import { expect, it } from 'vitest';
import { effects } from '../testing.ts';

it.each([
  ['aws s3 cp s3://b/k here', 'here here/k'],
  ['aws s3 mv here s3://b/k', 'here'],
  ['aws s3 sync s3://b dir', 'dir'],
  ['aws configure', '~/.aws/config'],
  ['aws s3api get-object --bucket b --key k out', 'out'],
  ['aws eks update-kubeconfig', '~/.kube/config'],
  ['aws eks update-kubeconfig --kubeconfig k', 'k'],
  ['gsutil cp gs://b/k dir/', 'dir/ dir/k'],
  ['gsutil mv a gs://b', 'a'],
  ['gcloud storage cp gs://b/k here', 'here here/k'],
  ['az storage blob download -f out', 'out'],
  ['rclone copy r:x here', 'here'],
  ['rclone copy here r:x', 'r:x ?'],
])('stores: finds what is written by %s', (command, expected) => {
  expect(effects(command)).toBe(expected);
});

it.each([
  'aws s3 cp here s3://b/k',
  'aws s3 ls s3://b',
  'aws configure list',
  'aws sts get-caller-identity',
  'aws logs tail g',
])('stores: finds nothing that is written by %s', (command) => {
  expect(effects(command)).toBe('');
});
