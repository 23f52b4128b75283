-- Where the object of a file belongs: in the public bucket, if the file is public, stored and not held back by a scan.
--
-- Arguments: `visibility`, `status` and `scan_status` of the file.
-- Rows: one value.
-- Locks: none.
-- Errors: none of its own.
CREATE OR REPLACE FUNCTION file_place(visibility file_visibility, status file_status, scan_status scan_status) RETURNS file_visibility
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN visibility = 'public' AND status = 'stored' AND scan_status IN ('none', 'clean')
              THEN 'public' ELSE 'private' END::file_visibility
$$;
