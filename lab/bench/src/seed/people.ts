import { inBatches, type Seeding } from "./place.js";

/** Audit entries per project. The first project has a hundred times as many. */
const LINES = 100;

/**
 * Makes every operator an owner of the seeded projects, and gives each project an audit log. It creates no operators: in a
 * database without one, the first operator finds projects without an owner.
 */
export async function seedPeople(seeding: Seeding): Promise<void> {
  const { sql, until, projects, lastProject } = seeding;
  const now = `'${until.toISOString()}'::timestamptz`;
  const lines = projects * LINES + LINES * 100;
  await sql.unsafe(`
    insert into project_members (project_id, operator_id, role, created_at)
    select ${lastProject} + n, operators.id, 'owner', ${now} from generate_series(1, ${projects}) n, operators`);
  await inBatches(lines, (first, last) =>
    sql.unsafe(`
      insert into audit_log (project_id, operator_id, operator_email, action, details, ip_address, user_agent, at)
      select ${lastProject} + 1 + greatest(0, n % ${projects + 100} - 100), 'seeded-' || n % 200, 'seeded-' || n % 200 || '@example.com',
             (array['tenant.quota_changed','project.settings_changed','member.joined'])[1 + n % 3], '{}',
             '203.0.113.' || n % 250, 'Mozilla/5.0', ${now} - interval '1 minute' * (${lines} - n)
      from generate_series(${first}, ${last}) n`),
  );
}
