import { deflateSync, crc32 } from "node:zlib";
import postgres from "postgres";
import { seedScans, seedWebhooks } from "./seed-lifecycle.mjs";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const PASSWORD = "correct horse battery";

/**
 * Fills a new Stowage with example data: projects, people, tenants with quotas, and files of the last 90 days. Files are uploaded as
 * a customer's app uploads them. Then the script changes their sizes and times in the database: real ones would take 90 days.
 *
 * @param local the result of `startLocal`
 * @returns the addresses and the session's cookies for the pictures
 */
export async function seed(local) {
  const { serviceUrl: url, databaseUrl, operator } = local;
  const random = pseudoRandom(17);
  const cookie = await signIn(url, operator);
  const call = (path, input) => trpc(url, cookie, path, input);
  const project = await call("projects.create", { name: "Lumen Studio" });
  const emptyProject = await call("projects.create", { name: "Field Notes" });
  const scanned = await call("projects.create", { name: "Harbor CRM" });
  for (const name of ["Parcel Tracker", "Sandbox"]) await call("projects.create", { name });
  await addPeople(url, call, project.ref);
  for (const [tenantId, quota] of Object.entries(QUOTAS))
    await call("tenants.setQuota", { projectRef: project.ref, tenantId, quotaBytes: quota });

  const api = apiOf(url, project.apiKey);
  const uploads = [...Array(150).keys()].map((n) => exampleUpload(n, random));
  for (const upload of uploads) await store(api, upload);
  for (const filename of ["Drone footage 4K.mov", "Archive 2025.zip", "Interview raw.wav"])
    await api("upload/", { filename, tenant_id: "acme-architects", size: 4200 });
  await refusedRequests(api);

  const sql = postgres(databaseUrl, { max: 1, onnotice: () => undefined });
  try {
    await changeSizesAndTimes(sql, uploads, random);
    const endpoints = await seedWebhooks({ call, sql, projectRef: project.ref });
    const scannedFiles = await seedScans({
      call,
      sql,
      api: apiOf(url, scanned.apiKey),
      store: (api, filename) => store(api, exampleFile(filename)),
      projectRef: scanned.ref,
    });
    const idOf = async (condition) =>
      (await sql.unsafe(`select id from files where ${condition} order by created_at desc limit 1`))[0].id;
    return {
      url,
      cookies: cookie.split("; ").map((pair) => {
        const [name, ...value] = pair.split("=");
        return { name, value: value.join("="), url };
      }),
      project: project.ref,
      emptyProject: emptyProject.ref,
      tenant: "acme-architects",
      endpoints,
      scanned: { project: scanned.ref, files: scannedFiles },
      files: {
        image: await idOf("content_type = 'image/png' and status = 'stored'"),
        pending: await idOf("status = 'pending'"),
      },
    };
  } finally {
    await sql.end();
  }
}

const TENANTS = [
  "acme-architects",
  "northwind",
  "user_009",
  "globex-eu",
  "initech",
  "user_5f3a91c07d",
  "hooli",
  "umbrella-labs",
  "org_42",
  "stark",
];
const QUOTAS = { "acme-architects": 40e9, northwind: 25e9, user_009: 1e9, initech: 12e9, hooli: 60e9 };
const KINDS = [
  {
    names: ["Facade study", "Site photo", "Render living room", "Team portrait", "Moodboard"],
    ext: "png",
    type: "image/png",
    maxBytes: 1.3e6,
  },
  {
    names: ["Invoice", "Quarterly report", "Floor plan", "Offer – final version for the client, signed"],
    ext: "pdf",
    type: "application/pdf",
    maxBytes: 3e7,
  },
  { names: ["Walkthrough", "Site visit"], ext: "mp4", type: "video/mp4", maxBytes: 2.4e9 },
  { names: ["Voice memo"], ext: "mp3", type: "audio/mpeg", maxBytes: 2e7 },
  { names: ["Measurements", "Größen"], ext: "csv", type: "text/csv", maxBytes: 4e6 },
  { names: ["Export"], ext: "zip", type: "application/zip", maxBytes: 8e8 },
];

function exampleUpload(n, random) {
  const kind = KINDS[random() < 0.5 ? 0 : Math.floor(random() * KINDS.length)];
  const name = kind.names[Math.floor(random() * kind.names.length)];
  return {
    filename: `${name} ${n + 1}.${kind.ext}`,
    tenantId: TENANTS[Math.floor(random() ** 1.7 * TENANTS.length)],
    bytes:
      kind.ext === "png"
        ? gradient(320, 200 + 20 * (n % 6), n * 47)
        : new TextEncoder().encode(`${name} ${n}`),
    type: kind.type,
    realBytes: Math.ceil(kind.maxBytes * (0.1 + 0.9 * random())),
    metadata: n % 3 ? {} : { album: "spring-2026", uploaded_by: "ada" },
  };
}

function exampleFile(filename) {
  const bytes = new TextEncoder().encode(`The content of ${filename}`);
  return { filename, tenantId: "harbor-gmbh", bytes, type: "application/octet-stream", metadata: {} };
}

/** @returns the path of the stored file */
async function store(api, { filename, tenantId, bytes, type, metadata }) {
  const upload = await api("upload/", {
    filename,
    tenant_id: tenantId,
    size: bytes.length,
    content_type: type,
    metadata,
  });
  const put = await fetch(upload.presigned_url, { method: "PUT", headers: upload.headers, body: bytes });
  if (!put.ok) throw new Error(await put.text());
  await api("complete/", { file_path: upload.file_path });
  return upload.file_path;
}

async function refusedRequests(api) {
  const requests = [
    [14, { filename: "Film.mov", tenant_id: "user_009", size: 2e9 }],
    [5, { filename: "a.txt", size: 1 }],
    [3, { tenant_id: "stark", size: 1 }],
    [2, { filename: "Backup.tar", tenant_id: "stark", size: 9e12 }],
  ];
  for (const [times, request] of requests)
    for (let n = 0; n < times; n++) await api("upload/", request).catch(() => undefined);
}

async function addPeople(url, call, projectRef) {
  const people = [
    ["Grace Hopper", "grace@lumen.example", "member"],
    ["Katherine Johnson", "katherine@lumen.example", "viewer"],
  ];
  for (const [name, email, role] of people) {
    const { url: link } = await call("members.invite", { projectRef, email, role });
    await trpc(url, "", "members.accept", { token: new URL(link).hash.slice(1), name, password: PASSWORD });
  }
  await call("members.invite", { projectRef, email: "margaret@lumen.example", role: "viewer" });
}

/** Spreads the files over the last 90 days, gives them realistic sizes, and counts them again. */
async function changeSizesAndTimes(sql, uploads, random) {
  for (const [n, { filename, realBytes }] of uploads.entries()) {
    // More files on recent days, and a few minutes ago.
    const age = n < 12 ? n * 3 * MINUTE_MS + MINUTE_MS : random() ** 1.6 * 88 * DAY_MS;
    const at = new Date(Date.now() - age);
    const size = filename.endsWith("png") && n >= 130 ? 2e6 : realBytes;
    await sql`update files set size = ${size}, declared_size = ${size}, created_at = ${at}, stored_at = ${at} where filename = ${filename}`;
  }
  await sql`update tenants t set created_at = f.first, used_bytes = f.bytes
    from (select tenant, min(created_at) as first, sum(size) as bytes from files where status = 'stored' group by tenant) f where f.tenant = t.id`;
  await sql`delete from usage_daily`;
  await sql`delete from project_usage_daily`;
  await sql`insert into usage_daily (project_id, tenant, day, uploads, uploaded_bytes, deleted_files, deleted_bytes)
    select project_id, tenant, (stored_at at time zone 'utc')::date, count(*), sum(size), 0, 0
    from files where status = 'stored' group by 1, 2, 3`;
  await sql`insert into project_usage_daily (project_id, day, slot, uploads, uploaded_bytes, deleted_files, deleted_bytes)
    select project_id, day, tenant % 16, sum(uploads), sum(uploaded_bytes), 0, 0 from usage_daily group by 1, 2, 3`;
}

function apiOf(url, apiKey) {
  return async (path, body) => {
    const response = await fetch(`${url}/api/storage/${path}`, {
      method: "POST",
      headers: { Authorization: `Bearer ${apiKey}`, "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(await response.text());
    return response.json();
  };
}

async function trpc(url, cookie, path, input) {
  const response = await fetch(`${url}/trpc/${path}`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Origin: url, ...(cookie ? { Cookie: cookie } : {}) },
    body: JSON.stringify(input),
  });
  if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
  return (await response.json()).result.data;
}

async function signIn(url, { email, password }) {
  const response = await fetch(`${url}/auth/sign-in/email`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Origin: url },
    body: JSON.stringify({ email, password }),
  });
  if (!response.ok) throw new Error(await response.text());
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");
}

/** A PNG with a gradient, so that thumbnails differ. */
function gradient(width, height, hue) {
  const at = (h) => [0, 120, 240].map((shift) => 127 + 110 * Math.cos(((h + shift) * Math.PI) / 180));
  const [from, to] = [at(hue), at(hue + 70)];
  const rows = Buffer.alloc(height * (1 + width * 3));
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      for (let c = 0; c < 3; c++) {
        const share = (x / width + y / height) / 2;
        rows[y * (1 + width * 3) + 1 + x * 3 + c] = from[c] * (1 - share) + to[c] * share;
      }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(rows)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(type, data) {
  const typed = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(data.length);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(typed));
  return Buffer.concat([size, typed, checksum]);
}

/** Numbers from 0 to 1 that are the same in each run, so that two runs show the same data. */
function pseudoRandom(state) {
  return () => {
    state = (state * 1664525 + 1013904223) % 4294967296;
    return state / 4294967296;
  };
}
