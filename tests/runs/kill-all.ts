// npm run kill:runs: kills a worker at three points of each node of a ten-node flow, with real processes, and checks that
// the run completes on the next start and that no completed effect is repeated. Stops the database at six places of a run.
import { openTestDatabase } from '../store/test-database.ts';
import { openWithoutWorker, POINTS, problemsOf, runKilledAt, TEN_NODES } from './killed-runs.ts';
import { openStoppable, OUTAGES, problemsOfOutage } from './outages.ts';

const { database, close } = await openTestDatabase();
const connection = database.connection();
const runs = await openWithoutWorker(connection);
const times: number[] = [];
let wrong = 0;
for (const point of POINTS)
  for (const index of TEN_NODES.keys()) {
    const killed = await runKilledAt(connection, runs, point, index);
    const problems = problemsOf(killed, point, index);
    if (problems.length > 0) wrong++;
    times.push(killed.ms);
    console.log(
      `${point} n${index}: ${problems.length > 0 ? problems.join('; ') : `completed in ${killed.ms.toFixed(0)} ms`}`,
    );
  }
times.sort((a, b) => a - b);
console.log(
  `${times.length} kills, ${wrong} wrong; from restart to result: median ${times[times.length >> 1]?.toFixed(0)} ms, worst ${times.at(-1)?.toFixed(0)} ms`,
);
await runs.close();
await close();
const stoppable = await openStoppable();
for (const [title, place] of OUTAGES) {
  const problems = await problemsOfOutage(stoppable, place);
  if (problems.length > 0) wrong++;
  console.log(`the database is stopped ${title}: ${problems.length > 0 ? problems.join('; ') : 'completed'}`);
}
await stoppable.close();
process.exitCode = wrong === 0 ? 0 : 1;
