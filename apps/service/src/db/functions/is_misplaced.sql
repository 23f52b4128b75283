-- Whether the object of a file has to be moved: it is in the other bucket, or the other bucket may have one too.
--
-- Arguments: `visibility`, `status`, `scan_status`, `place` and `has_other_copy` of the file.
-- Rows: one value.
-- Locks: none.
-- Errors: none of its own.
CREATE OR REPLACE FUNCTION is_misplaced(
  visibility file_visibility, status file_status, scan_status scan_status, place file_visibility, has_other_copy boolean) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT status IN ('stored', 'trashed')
    AND (has_other_copy OR place <> file_place(visibility, status, scan_status))
$$;
