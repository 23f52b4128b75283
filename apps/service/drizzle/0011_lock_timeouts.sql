-- A batch of uploads that waits for a lock of one project delays the uploads of all other projects in the batch. After this time the
-- batch ends without an effect (55P03), and its projects get calls of their own (lib/batch-calls.ts).
ALTER FUNCTION admit_uploads(bigint, text, json, bigint) SET lock_timeout = '1s';
--> statement-breakpoint
ALTER FUNCTION mark_stored(bigint, json, timestamptz, date) SET lock_timeout = '1s';
