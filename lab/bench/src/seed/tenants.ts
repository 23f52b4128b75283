import { FIRST_TENANTS } from "./functions.js";
import { inBatches, passIds, type Seeding } from "./place.js";

/** Creates the tenants, each before its files. Half belong to the first project; the others are spread unevenly. */
export async function seedTenants({ sql, tenants, lastTenant }: Seeding): Promise<void> {
  await inBatches(tenants, (first, last) =>
    sql.unsafe(`
      insert into tenants (project_id, id, tenant_id, ref, quota_bytes, created_at)
      overriding system value
      select pg_temp.project_of(n), id,
             case n % 3
               when 0 then 'user_' || left(md5('tenant' || id), 12)
               when 1 then (array['acme','globex','initech','umbra','hooli','vandelay','wonka','stark'])[1 + n % 8] || '-' || id
               else (array['ines','noor','kofi','li','maya','olu','petra','sven'])[1 + n % 8] || '.' || id || '@example.com' end,
             pg_temp.ref('tenant', id),
             case when pg_temp.chance(n, 3) < 0.1 then (array[1, 10, 100]::bigint[])[1 + n % 3] * 1073741824 end,
             pg_temp.at(greatest(0, (place - ${FIRST_TENANTS}) / (1 - ${FIRST_TENANTS})))
      from (select n, ${lastTenant} + n as id,
                   (n - 1 - case pg_temp.group_of(n) when 1 then 0 else pg_temp.group_size(1) end)::float8
                     / pg_temp.group_size(pg_temp.group_of(n)) as place
            from generate_series(${first}::bigint, ${last}) n) placed`),
  );
  await passIds(sql, "tenants");
}
