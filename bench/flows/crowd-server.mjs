// A server with accounts in a process of its own. Prints its address and the cookies of its administrator and users as JSON; ends
// with its input.
// node --import tsx --conditions=source crowd-server.mjs USERS
import { ADMIN, startTestServer } from '../../apps/server/src/testing.ts';

const server = await startTestServer({}, { forTests: { runsInThread: true } });
await server.running.ready;
const cookies = [];
for (let at = 0; at <= Number(process.argv[2]); at += 1) cookies.push((await server.addUser(`user${at}`)).cookie);
const admin = await server.signIn(ADMIN.login, ADMIN.password);
console.log(JSON.stringify({ url: server.url, admin: admin.cookie, cookies }));
process.stdin.resume().on('end', () => void server.stop().then(() => process.exit(0)));
