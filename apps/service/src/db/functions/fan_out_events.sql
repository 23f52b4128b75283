-- Moves the oldest rows of a project's outbox into events, with a delivery for each endpoint that wanted them: up to a hundred rows, until
-- they are a thousand events. It gives each event its position in the project's log. Deliveries of an endpoint that was disabled are skipped: an operator can send them later.
--
-- Arguments: `p` the project's id.
-- Rows: one, how many events there were.
-- Locks: the row of event_logs, then rows of webhook_outbox in the order of their positions. Calls for one project follow each other, so a
--   delivery never exists before those of earlier events of its subject, and who sees an event sees all with a lower position.
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
  newest bigint;
BEGIN
  SELECT l.last_position INTO newest FROM event_logs l WHERE l.project_id = p FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    INSERT INTO event_logs (project_id) VALUES (p) ON CONFLICT DO NOTHING;
    SELECT l.last_position INTO newest FROM event_logs l WHERE l.project_id = p FOR NO KEY UPDATE;
  END IF;
  -- The time keeps positions rising also after an older state of the database was restored.
  newest := greatest(newest, floor(extract(epoch FROM clock_timestamp()) * 1000000)::bigint);
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
      INSERT INTO webhook_events (project_id, id, type, subject, data, at, position)
      SELECT $1, e.id, $2, e.subject, e.data, $3, $7 + e.number
      FROM unnest($4::uuid[], $5::text[], $6::jsonb[]) WITH ORDINALITY AS e (id, subject, data, number)$insert$
    USING p, o.type, o.at, event_ids, subjects, snapshots, newest;
    newest := newest + cardinality(event_ids);
    EXECUTE $insert$
      INSERT INTO webhook_deliveries (project_id, endpoint, event, subject, seq, state, next_attempt_at)
      SELECT $1, w.id, e.id, e.subject, e.seq, CASE WHEN w.is_skipped THEN 'skipped' ELSE 'pending' END::webhook_delivery_state,
             CASE WHEN NOT w.is_skipped THEN $2 END
      FROM unnest($3::uuid[], $4::text[], $5::bigint[]) AS e (id, subject, seq),
           (SELECT id, false FROM unnest($6::bigint[]) id UNION ALL SELECT id, true FROM unnest($7::bigint[]) id) AS w (id, is_skipped)$insert$
    USING p, o.at, event_ids, subjects, seqs, o.wanted_by, o.skipped_by;
    moved := moved + cardinality(event_ids);
  END LOOP;
  IF moved > 0 THEN UPDATE event_logs SET last_position = newest WHERE project_id = p; END IF;
  RETURN moved;
END $$;
