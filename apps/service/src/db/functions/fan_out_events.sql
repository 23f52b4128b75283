-- Moves the oldest rows of a project's outbox into events, with a delivery for each endpoint that wanted them: up to a hundred rows, until
-- they are a thousand events. Deliveries of an endpoint that was disabled are skipped: an operator can send them later.
--
-- Arguments: `p` the project's id.
-- Rows: one, how many events there were.
-- Locks: rows of webhook_outbox in the order of their positions. Two calls for one project wait for each other, so a delivery never exists
--   before those of earlier events of its subject.
-- Errors: none of its own.
CREATE OR REPLACE FUNCTION fan_out_events(p bigint) RETURNS int
LANGUAGE plpgsql SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  o record;
  moved int := 0;
  event_ids uuid[];
  subjects text[];
  seqs bigint[];
  snapshots jsonb[];
BEGIN
  FOR o IN
    SELECT * FROM webhook_outbox b WHERE b.project_id = p ORDER BY b.position, b.id LIMIT 100 FOR UPDATE
  LOOP
    EXIT WHEN moved >= 1000;
    DELETE FROM webhook_outbox b WHERE b.project_id = p AND b.position = o.position AND b.id = o.id;
    -- The ids are UUIDs of version 7: 48 bits of milliseconds, the version, random bits.
    SELECT array_agg(encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
             PLACING substring(int8send(floor(extract(epoch FROM o.at) * 1000)::bigint) FROM 3) FROM 1 FOR 6), 52, 1), 53, 1), 'hex')::uuid),
           array_agg(split_part(o.type, '.', 1) || ':' || (r.data ->> 'id')),
           array_agg(coalesce((r.data ->> 'revision')::bigint, floor(extract(epoch FROM o.position) * 1000000)::bigint)),
           array_agg(r.data || (o.by_tenant ->> coalesce(r.data ->> 'tenant', r.data ->> 'id'))::jsonb)
    INTO event_ids, subjects, seqs, snapshots
    FROM (SELECT value::jsonb AS data FROM json_array_elements(o.rows)) r;
    -- Statements as text, because Citus cannot keep the plan of an INSERT ... SELECT.
    EXECUTE $insert$
      INSERT INTO webhook_events (project_id, id, type, subject, data, at)
      SELECT $1, e.id, $2, e.subject, e.data, $3
      FROM unnest($4::uuid[], $5::text[], $6::jsonb[]) AS e (id, subject, data)$insert$
    USING p, o.type, o.at, event_ids, subjects, snapshots;
    EXECUTE $insert$
      INSERT INTO webhook_deliveries (project_id, endpoint, event, subject, seq, state, next_attempt_at)
      SELECT $1, w.id, e.id, e.subject, e.seq, CASE WHEN w.is_skipped THEN 'skipped' ELSE 'pending' END::webhook_delivery_state,
             CASE WHEN NOT w.is_skipped THEN $2 END
      FROM unnest($3::uuid[], $4::text[], $5::bigint[]) AS e (id, subject, seq),
           (SELECT id, false FROM unnest($6::bigint[]) id UNION ALL SELECT id, true FROM unnest($7::bigint[]) id) AS w (id, is_skipped)$insert$
    USING p, o.at, event_ids, subjects, seqs, o.wanted_by, o.skipped_by;
    moved := moved + cardinality(event_ids);
  END LOOP;
  RETURN moved;
END $$;
