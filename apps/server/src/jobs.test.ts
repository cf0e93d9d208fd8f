import { describe, expect, it } from 'vitest';
import { type Job, startJobs } from './jobs.ts';

function bench() {
  const events: string[] = [];
  const job = (name: string, more: Partial<Job> = {}): Job => ({
    name,
    start: () => void events.push(`start ${name}`),
    stop: async () => {
      await Promise.resolve();
      events.push(`stop ${name}`);
    },
    ...more,
  });
  const log = { error: ({ job: name }: { job: string }) => void events.push(`log ${name}`) };
  return { events, job, log: log as never };
}

describe('jobs', () => {
  it('start in their order and stop in reverse, one after the other and once', async () => {
    const { events, job, log } = bench();
    const { stop } = startJobs([job('a'), job('b'), job('c')], log);
    await Promise.all([stop(), stop()]);
    expect(events).toEqual(['start a', 'start b', 'start c', 'stop c', 'stop b', 'stop a']);
  });

  it('are all stopped when one fails or never ends, which the log names', async () => {
    const { events, job, log } = bench();
    const fails = () => {
      throw new Error('broken');
    };
    const jobs = [job('a'), job('late', { stop: () => new Promise(() => {}), stopMs: 1 }), job('bad', { stop: fails })];
    await startJobs(jobs, log).stop();
    expect(events.slice(3)).toEqual(['log bad', 'log late', 'stop a']);
  });

  it('that started are stopped when a later one does not start', async () => {
    const { events, job, log } = bench();
    const fails = () => {
      throw new Error('broken');
    };
    expect(() => startJobs([job('a'), job('b', { start: fails }), job('c')], log)).toThrow('broken');
    await expect.poll(() => events).toEqual(['start a', 'stop a']);
  });
});
