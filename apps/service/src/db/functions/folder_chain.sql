-- Names the rows of `folders` that count a file in this folder: the folder itself and each folder above it, without the root.
--
-- Arguments: `folder` the name of the folder; '' is the root.
-- Rows: for each of them its `name`, and in `parent` the SHA-256 of the whole name of the folder that it is in.
-- Locks: none.
-- Errors: none of its own.
CREATE OR REPLACE FUNCTION folder_chain(folder text) RETURNS TABLE (parent bytea, name text)
LANGUAGE sql IMMUTABLE PARALLEL SAFE ROWS 4 AS $$
  SELECT sha256(convert_to(array_to_string(segments[:depth - 1], '/'), 'UTF8')), segments[depth]
  FROM string_to_array(folder, '/') AS segments, generate_series(1, cardinality(segments)) AS depth
$$;
