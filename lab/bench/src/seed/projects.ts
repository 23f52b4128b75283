import { passIds, type Seeding } from "./place.js";
import { SPAN_DAYS } from "./functions.js";

/** Creates the projects, all older than the first tenant. Their key hashes belong to no key, so no key opens them. */
export async function seedProjects({ sql, seed, until, projects, lastProject }: Seeding): Promise<void> {
  const begin = `'${until.toISOString()}'::timestamptz - interval '${SPAN_DAYS + 1} days'`;
  await sql.unsafe(`
    insert into projects (id, ref, name, api_key_hash, api_key_start, api_key_last4, default_quota_bytes, max_file_bytes,
                          created_at, key_created_at, key_last_used_at)
    overriding system value
    select id, pg_temp.ref('project', id),
           case n when 1 then 'Everything' else
             (array['Harbour','Meadow','Lantern','Copper','Juniper','Atlas','Willow','Signal','Orchard','Comet'])[1 + n % 10]
             || ' ' || (array['Docs','Studio','Health','Books','Travel','Market','School'])[1 + n % 7] || ' ' || n end,
           encode(sha256(('no key ' || ${seed} || ' ' || id)::bytea), 'hex'), 'stow_live_seed', right(md5(id::text), 4),
           (array[null, 5, 20]::bigint[])[1 + n % 3] * 1073741824, 5368709120,
           ${begin} - interval '1 minute' * (${projects} - n), ${begin} - interval '1 minute' * (${projects} - n),
           '${until.toISOString()}'::timestamptz - interval '1 day' * power(pg_temp.chance(n, 2), 4) * 90
    from (select n, ${lastProject} + n as id from generate_series(1, ${projects}) n) numbered`);
  await passIds(sql, "projects");
}
