import { createServer } from "node:http";

/**
 * Adds webhook endpoints with deliveries of every state to a project. The receiver listens on this machine until the call returns.
 *
 * @param call calls a procedure of the dashboard
 * @param sql for what takes days: tries of a failing endpoint, and events of the last weeks
 * @returns the refs of the endpoints
 */
export async function seedWebhooks({ call, sql, projectRef }) {
  const receiver = await aReceiver();
  try {
    const add = (input) => call("webhooks.create", { projectRef, ...input });
    const healthy = await add({
      url: `${receiver.url}/webhooks/stowage`,
      description: "Search index",
      events: ["file.stored", "file.deleted", "tenant.quota_reached"],
    });
    const failing = await add({
      url: `${receiver.url}/failing/api/v1/tenants/lumen-studio/integrations/storage/events`,
      description: "",
      events: ["file.stored"],
    });
    const disabled = await add({
      url: "http://127.0.0.1:9/old/hooks",
      description: "Billing (old)",
      events: ["tenant.created", "tenant.quota_reached", "tenant.quota_cleared"],
    });
    await call("webhooks.change", { projectRef, endpointRef: disabled.ref, isEnabled: false });
    for (const { ref: endpointRef } of [healthy, failing])
      await call("webhooks.sendTest", { projectRef, endpointRef });
    await receiver.hasReceived(2);
    await addDeliveries(sql, healthy.ref, [...Array(70).keys()].map(stateOfDelivery));
    await addDeliveries(sql, failing.ref, ["failed", "failed", "failed", "delivered"]);
    await addDeliveries(sql, disabled.ref, ["skipped", "skipped"]);
    await sql`update webhook_endpoints set failing_since = now() - interval '3 hours' where ref = ${failing.ref}`;
    return { healthy: healthy.ref, failing: failing.ref, disabled: disabled.ref };
  } finally {
    await receiver.close();
  }
}

const stateOfDelivery = (n) => (n === 3 ? "failed" : n === 9 ? "skipped" : "delivered");

async function aReceiver() {
  let received = 0;
  let onRequest = () => undefined;
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      if (request.url.startsWith("/failing"))
        response.writeHead(500, { "Content-Type": "text/plain" }).end("TypeError: event.data is undefined\n");
      else response.writeHead(204).end();
      received++;
      onRequest();
    });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://localhost:${server.address().port}`,
    hasReceived: (count) =>
      new Promise((resolve) => {
        onRequest = () => received >= count && resolve();
        onRequest();
      }),
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Adds an event of a stored file for each state, an hour apart, the newest first. */
async function addDeliveries(sql, endpointRef, states) {
  for (const [n, state] of states.entries()) {
    const at = new Date(Date.now() - (n + 1) * 3_600_000);
    const time = at.getTime().toString(16).padStart(12, "0");
    const id = `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${String(n).padStart(12, "0")}`;
    await sql`
      with endpoint as (select project_id, id from webhook_endpoints where ref = ${endpointRef}),
      file as (
        select f.*, t.tenant_id as tenant_name from files f join endpoint e on e.project_id = f.project_id
        join tenants t on t.project_id = f.project_id and t.id = f.tenant
        where f.status = 'stored' order by f.id limit 1 offset ${n}),
      event as (
        insert into webhook_events (project_id, id, type, subject, data, at)
        select project_id, ${id}, 'file.stored', 'file:' || id, to_jsonb(file) - 'tenant_name' || jsonb_build_object('tenant_id', tenant_name), ${at} from file
        returning project_id, id, subject),
      delivery as (
        insert into webhook_deliveries (project_id, endpoint, event, subject, seq, state, attempts, delivered_at, last_status)
        select event.project_id, endpoint.id, event.id, event.subject, 0, ${state}::webhook_delivery_state,
          ${state === "failed" ? 9 : state === "skipped" ? 0 : 1}, ${state === "delivered" ? at : null},
          ${state === "failed" ? 500 : state === "skipped" ? null : 204}
        from event, endpoint
        returning project_id, endpoint, event)
      insert into webhook_attempts (project_id, endpoint, event, at, status, duration_ms, error, answer)
      select project_id, endpoint, event, ${at}::timestamptz + n * interval '5 minutes',
        ${state === "failed" ? 500 : 204}, 38 + n, ${state === "failed" ? "the endpoint answered 500" : null},
        ${state === "failed" ? "Internal Server Error" : ""}
      from delivery, generate_series(1, ${state === "failed" ? 9 : state === "skipped" ? 0 : 1}) n
      on conflict do nothing`;
  }
}

/**
 * Adds files to a project that scans with its own scanner and has a trash: clean, infected, waiting, on hold, in the trash.
 *
 * @param api calls the REST API with the project's key
 * @param store uploads a file
 * @returns ids of files by what they show
 */
export async function seedScans({ call, api, store, sql, projectRef }) {
  await call("settings.update", { projectRef, scan: "external", trashDays: 30 });
  const names = [
    "Contract signed.pdf",
    "Invoice 4711.pdf",
    "Setup wizard.exe",
    "Payroll (encrypted).zip",
    "Handbook.pdf",
    "Old logo.png",
    "Draft – final version for the client, with comments and a rather long name.docx",
    "Evidence 7.mov",
    "Upload of today.zip",
  ];
  const files = {};
  for (const name of names) files[name] = await store(api, name);
  const scan = (name, verdict, signature) =>
    api("scan-result/", { file_path: files[name], verdict, ...(signature && { signature }) });
  for (const name of names.slice(0, -1)) if (!/exe|encrypted/.test(name)) await scan(name, "clean");
  await scan("Setup wizard.exe", "infected", "Win.Trojan.Generic-9876543-0");
  await scan("Payroll (encrypted).zip", "unscannable", "Heuristics.Encrypted.Zip");
  await api("hold/", { file_path: files["Evidence 7.mov"], hold: true });
  await api("hold/", { file_path: files["Old logo.png"], hold: true });
  await api("hold/", { file_path: files["Old logo.png"], hold: false });
  for (const name of ["Old logo.png", names[6]]) await api("delete/", { file_path: files[name] });
  await sql`update files set expires_at = now() + interval '6 days' where path = ${files["Invoice 4711.pdf"]}`;
  const idOf = async (name) => (await sql`select id from files where path = ${files[name]}`)[0].id;
  return {
    infected: await idOf("Setup wizard.exe"),
    waiting: await idOf("Upload of today.zip"),
    held: await idOf("Evidence 7.mov"),
    trashed: await idOf("Old logo.png"),
    expiring: await idOf("Invoice 4711.pdf"),
  };
}
