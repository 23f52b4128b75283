import { FIRST_TENANTS } from "./functions.js";
import { inBatches, passIds, type Seeding } from "./place.js";

/** Content types with their cumulative share of all files and the smallest size as a power of ten. */
const types = [
  { upTo: 0.35, extension: "jpg", contentType: "image/jpeg", power: 4.5 },
  { upTo: 0.5, extension: "png", contentType: "image/png", power: 3.5 },
  { upTo: 0.75, extension: "pdf", contentType: "application/pdf", power: 4 },
  { upTo: 0.83, extension: "csv", contentType: "text/csv", power: 2.5 },
  {
    upTo: 0.9,
    extension: "docx",
    contentType: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    power: 4,
  },
  { upTo: 0.94, extension: "zip", contentType: "application/zip", power: 5 },
  { upTo: 0.97, extension: "mp3", contentType: "audio/mpeg", power: 5.5 },
  { upTo: 1, extension: "mp4", contentType: "video/mp4", power: 6 },
];

const list = (values: (string | number)[]) =>
  `array[${values.map((value) => (typeof value === "number" ? `${value}::float8` : `'${value}'`)).join(", ")}]`;
const typeOf = (member: "extension" | "contentType" | "power") =>
  `(${list(types.map((type) => type[member]))})[type]`;

/**
 * Creates the files in id order. Every other file belongs to the first project, and a few tenants have most files. One in forty
 * was never stored, some of the last hour are pending, and a few wait for removal.
 */
export async function seedFiles({ sql, until, files, lastTenant, lastFile }: Seeding): Promise<void> {
  const now = `'${until.toISOString()}'::timestamptz`;
  await inBatches(files, (first, last) =>
    sql.unsafe(`
      insert into files (project_id, id, tenant, path, filename, content_type, declared_size, reserved_bytes, size, etag, metadata,
                         status, url_expires_at, created_at, stored_at)
      overriding system value
      select project, id, tenant,
             'projects/' || pg_temp.ref('project', project) || '/tenants/' || pg_temp.ref('tenant', tenant) || '/'
               || pg_temp.ref('file', id) || '_' || filename,
             filename, content_type, declared, case status when 'pending' then coalesce(declared, 0) else 0 end,
             case when status in ('stored', 'deleting') then bytes end,
             case when status in ('stored', 'deleting') then '"' || md5(id::text) || '"' end,
             case when n % 20 = 0 then '{"source":"import"}' else '{}' end::jsonb,
             status::file_status, created_at + interval '1 hour', created_at,
             case when status in ('stored', 'deleting')
               then least(${now}, created_at + interval '1 second' * (1 + 120 * pg_temp.chance(n, 14))) end
      from (select *, ${typeOf("contentType")} as content_type,
                   case ${typeOf("extension")} when 'jpg' then 'IMG_' || 1000 + floor(pg_temp.chance(n, 16) * 9000)::int
                     else (${list(stems)})[1 + floor(pg_temp.chance(n, 11) * ${stems.length})::int] || '-' || 1 + floor(pg_temp.chance(n, 16) * 500)::int end
                     || '.' || ${typeOf("extension")} as filename,
                   case when n % 2 = 0 then bytes end as declared,
                   case when pg_temp.chance(n, 12) < 0.3 and created_at > ${now} - interval '1 hour' then 'pending'
                        when pg_temp.chance(n, 12) < 0.025 then 'expired'
                        when pg_temp.chance(n, 12) < 0.027 then 'deleting' else 'stored' end as status
            from (select *, ${lastTenant} + number as tenant, pg_temp.project_of(number) as project,
                         floor(power(10, ${typeOf("power")} + 1.5 * pg_temp.chance(n, 13)))::bigint as bytes
                  from (select n, ${lastFile} + n as id, pg_temp.at(n::float8 / ${files}) as created_at,
                               1 + width_bucket(pg_temp.chance(n, 15), ${list(types.map(({ upTo }) => upTo))}) as type,
                               case n % 2 when 1 then 1 else 1 + pg_temp.group_size(1) end
                                 + floor(power(pg_temp.chance(n, 10), 3) * pg_temp.group_size(1 + (n + 1)::int % 2)
                                         * (${FIRST_TENANTS} + (1 - ${FIRST_TENANTS}) * n / ${files}))::bigint as number
                        from generate_series(${first}::bigint, ${last}) n offset 0) chosen offset 0) placed offset 0) made`),
  );
  await passIds(sql, "files");
}

const stems = [
  "invoice",
  "report",
  "contract",
  "receipt",
  "scan",
  "notes",
  "budget",
  "plan",
  "letter",
  "backup",
];
