import { expect, it } from 'vitest';
import { effects, outcome } from '../testing.ts';

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

it.each([
  ['rclone copy r:a b', 'b (copy) (r:a) (b)'],
  ['rclone copy a r:b', "r:b (copy) (a) (r:b) ? 'rclone' writes on another machine."],
  ['rclone sync r:a b', 'b (sync) (r:a) (b)'],
  ['rclone move a r:b', "r:b a:removes (move) (a) (r:b) ? 'rclone' writes on another machine."],
  ['gsutil cp gs://b/k here', 'here here/k (cp) (here)'],
  ['gsutil cp gs://b/k dir/', 'dir/ dir/k (cp) (dir/)'],
  ['gsutil mv here gs://b/k', 'here:removes (mv) (here)'],
  ['gsutil rsync gs://b/d here', 'here:fills (rsync) (here)'],
  ['gsutil ls gs://b', '(ls)'],
  ['gcloud compute scp h:/x here', 'here (compute) (scp) (h:/x) (/x) (here)'],
  ['gcloud compute instances list', '(compute) (instances) (list)'],
  [
    'az storage blob download -f here -d there --dest e --file f --destination g',
    'here there e f g (storage) (blob) (download) (here) (there) (e) (f) (g)',
  ],
  ['az storage blob download-batch x y', 'y (storage) (blob) (download-batch) (x) (y)'],
  ['az group list', '(group) (list)'],
  ['azcopy copy https://h/x here', 'here here/x (copy) (here)'],
  ['s3cmd get s3://b/k here', 'here here/k (get) (here)'],
  ['s3cmd put here s3://b/k', '(put) (here)'],
  ['s5cmd cp s3://b/k .', '. k (cp) (.)'],
  ['mc cp m/b/k here', 'here (cp) (m/b/k) (here)'],
  ['b2 download x', '(download) (x)'],
  ['oci os object get --file f', '(os) (object) (get) (f)'],
  ['doctl x', '(x)'],
  ['aws s3 cp s3://b/k here', 'here here/k'],
  ['aws s3 cp here s3://b/k', ''],
  ['aws s3 mv here s3://b/k', 'here:removes'],
  ['aws s3 sync s3://b/d here', 'here:fills'],
  ['aws s3 cp s3://b/k .', '. k'],
  ['aws s3 cp --recursive s3://b/d here', 'here here/d'],
  ['aws s3 --region r cp s3://b/k here', 'here here/k'],
  ['aws s3 ls s3://b', ''],
  ['aws s3api get-object --bucket b --key k here', 'here (s3api) (get-object) (b) (k) (here)'],
  ['aws s3api get-object --no-sign-request --bucket=b here', 'here (s3api) (get-object) (here)'],
  ['aws s3api get-object --debug here', 'here (s3api) (get-object) (here)'],
  ['aws s3api get-object --bucket b --key k -', '(s3api) (get-object) (b) (k)'],
  ['aws lambda invoke --payload file:///x out', 'out (lambda) (invoke) (out)'],
  ['aws cloudformation package --output-template-file t', 't (cloudformation) (package) (t)'],
  ['aws cloudformation package --output-template-file=t', 't (cloudformation) (package)'],
  ['aws x y --outfile o --output-file p', 'o p (x) (y) (o) (p)'],
  ['aws configure', '~/.aws/config'],
  ['aws configure set a b', '~/.aws/config'],
  ['aws configure list', ''],
  ['aws configure get a', ''],
  ['aws configure list-profiles', ''],
  ['aws configure export-credentials', ''],
  ['aws logs tail x', ''],
  ['aws sso login', ''],
  ['aws ssm start-session x', ''],
  ['aws history list', ''],
  ['aws help', ''],
  ['aws eks update-kubeconfig --name x', '~/.kube/config (eks) (update-kubeconfig) (x)'],
  ['aws eks update-kubeconfig --name x --kubeconfig k', 'k (eks) (update-kubeconfig) (x) (k)'],
  ['aws eks list-clusters', '(eks) (list-clusters)'],
])('object stores: finds the effects of %s', (command, expected) => {
  expect(outcome(command)).toBe(expected);
});
