// `node lab/citus/measure.mjs`: compares PostgreSQL's CPU for uploads on plain PostgreSQL and on Citus. PLAIN_URL and
// CITUS_URL name two databases with this version's schema, the second one distributed. All their servers must run on this
// machine, and the user must be a superuser: the CPU is read from the servers' processes in /proc.
import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import postgres from "postgres";

const PROJECTS = 8;
const CONNECTIONS = 4;
const CALLS = 400;
const UPLOADS_PER_CALL = 10;
const ROUNDS = 5;
const MS_PER_TICK = 10;

const ADMIT = "select * from admit_uploads($1::bigint, $2::text, $3::text::json, null)";
const MARK = "select * from mark_stored($1::bigint, $2::text::json, now(), now()::date)";

const sides = { plain: await open(process.env.PLAIN_URL), citus: await open(process.env.CITUS_URL) };
for (const side of Object.values(sides)) await measure(side); // warms up caches and plans
const ratios = [];
for (let round = 0; round < ROUNDS; round++) {
  const plain = await measure(sides.plain);
  const citus = await measure(sides.citus);
  ratios.push(citus.cpuUs / plain.cpuUs);
  const describe = ({ cpuUs, perSecond }) => `${cpuUs.toFixed(0)} µs, ${perSecond.toFixed(0)} a second`;
  console.log(
    `CPU per upload: plain ${describe(plain)}; Citus ${describe(citus)}; ratio ${ratios.at(-1).toFixed(2)}`,
  );
}
console.log(`median ratio ${ratios.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)].toFixed(2)}`);
for (const { sql } of Object.values(sides)) await sql.end();

async function open(url) {
  const types = { bigint: { to: 20, from: [20], serialize: String, parse: Number } };
  const sql = postgres(url, { max: CONNECTIONS, onnotice: () => undefined, types });
  const projects = [];
  for (let i = 0; i < PROJECTS; i++) {
    const ref = randomBytes(11).toString("hex");
    const [{ id }] = await sql`
      insert into projects (ref, name, api_key_hash, api_key_start, api_key_last4, max_file_bytes, created_at, key_created_at)
      values (${ref}, 'measured', ${ref}, '', '', 1000000, now(), now()) returning id`;
    projects.push({ id, keyHash: ref });
  }
  return { sql, projects, postmasters: await postmastersOf(url, sql) };
}

/** The process ids of all servers of a database. */
async function postmastersOf(url, sql) {
  const [{ citus }] = await sql`select exists (select from pg_extension where extname = 'citus') as citus`;
  const workers = citus ? await sql`select nodename, nodeport from pg_dist_node where groupid > 0` : [];
  const urls = workers.map(
    ({ nodename, nodeport }) =>
      Object.assign(new URL(url), { hostname: nodename, port: String(nodeport) }).href,
  );
  const pids = [];
  for (const each of [url, ...urls]) {
    const node = postgres(each, { max: 1, onnotice: () => undefined });
    const [{ file }] = await node`select pg_read_file('postmaster.pid') as file`;
    pids.push(Number(file.split("\n")[0]));
    await node.end();
  }
  return pids;
}

/** Admits uploads and marks them as stored. */
async function measure({ sql, projects, postmasters }) {
  const before = cpuMs(postmasters);
  const start = performance.now();
  let next = 0;
  const worker = async () => {
    for (let call = next++; call < CALLS; call = next++) await uploadSome(sql, projects[call % PROJECTS]);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, worker));
  const uploads = CALLS * UPLOADS_PER_CALL;
  const seconds = (performance.now() - start) / 1000;
  return { cpuUs: ((cpuMs(postmasters) - before) * 1000) / uploads, perSecond: uploads / seconds };
}

async function uploadSome(sql, { id, keyHash }) {
  const soon = new Date(Date.now() + 3_600_000);
  const uploads = Array.from({ length: UPLOADS_PER_CALL }, (_, number) => ({
    number,
    tenant_id: `tenant ${(Math.random() * 100) | 0}`,
    new_ref: randomBytes(11).toString("hex"),
    object_name: `${randomBytes(11).toString("hex")}_a.txt`,
    filename: "a.txt",
    content_type: "text/plain",
    size: 5,
    metadata: {},
    at: new Date(),
    url_expires_at: soon,
    next_check_at: soon,
  }));
  const rows = await sql.unsafe(ADMIT, [id, keyHash, JSON.stringify(uploads)], { prepare: true });
  const paths = rows.map((row) => row.path).filter(Boolean);
  const files = await sql`
    select id, revision from files
    where project_id = ${id} and path = any (${paths})`;
  const found = files.map((file, number) => ({ number, ...file, size: 5, etag: "e", next_check_at: null }));
  await sql.unsafe(MARK, [id, JSON.stringify(found)], { prepare: true });
}

/** The CPU time of the servers and of their processes that are running. */
function cpuMs(postmasters) {
  let ticks = 0;
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    const stat = readStat(pid);
    if (!stat || !(postmasters.includes(Number(pid)) || postmasters.includes(stat.parent))) continue;
    ticks += stat.ticks;
  }
  return ticks * MS_PER_TICK;
}

function readStat(pid) {
  try {
    // The second field is the name in parentheses and may contain spaces: man 5 proc.
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1).split(" ");
    return { parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) };
  } catch {
    return null;
  }
}
