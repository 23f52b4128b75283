# upload.sh: sends a file by parts. Run it again after a break: it sends only what is missing.
# STOWAGE_URL=https://… STOWAGE_API_KEY=… sh upload.sh FILE TENANT_ID
set -eu
file=$1
tenant=$2
opened=$file.upload.json # the open upload, for the next run
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# In a file, so that the list of processes does not show the key.
printf 'Authorization: Bearer %s\nContent-Type: application/json\n' "$STOWAGE_API_KEY" > "$work/headers"

call() {
  curl -sS --fail-with-body --retry 5 -H "@$work/headers" "$@" > "$work/answer" || { cat "$work/answer" >&2 && exit 1; }
  cat "$work/answer"
}

# 1. Open the upload, unless an earlier run has opened it.
if [ ! -s "$opened" ]; then
  jq -n --arg tenant "$tenant" --arg name "$(basename "$file")" --argjson size "$(wc -c < "$file")" \
    '{tenant_id: $tenant, filename: $name, size: $size}' > "$work/request"
  answer=$(call "$STOWAGE_URL/api/storage/uploads/" -d "@$work/request")
  echo "$answer" > "$opened"
fi
path=$(jq -r .file_path "$opened")
part_size=$(jq .part_size "$opened")
part_count=$(jq .part_count "$opened")

# 2. Ask which parts storage has: a line with number and ETag for each, page by page.
: > "$work/stored"
cursor=first
while [ -n "$cursor" ]; do
  page=$(call -G "$STOWAGE_URL/api/storage/uploads/parts/" --data-urlencode "file_path=$path" \
    $([ "$cursor" = first ] || echo --data-urlencode "cursor=$cursor"))
  echo "$page" | jq -r '.parts[] | "\(.number) \(.etag)"' >> "$work/stored"
  cursor=$(echo "$page" | jq -r '.next_cursor // ""')
done

# 3. Send the other parts.
number=1
while [ "$number" -le "$part_count" ]; do
  tail -c "+$(((number - 1) * part_size + 1))" "$file" | head -c "$part_size" > "$work/part"
  etag=$(md5sum < "$work/part" | cut -d ' ' -f 1)
  if ! grep -qx "$number $etag" "$work/stored"; then
    signed=$(jq -n --arg path "$path" --argjson number "$number" '{file_path: $path, parts: [{number: $number}]}' |
      call "$STOWAGE_URL/api/storage/uploads/parts/" -d @-)
    curl -sS --fail-with-body --retry 5 -T "$work/part" "$(echo "$signed" | jq -r '.parts[0].presigned_url')"
    echo "part $number of $part_count" >&2
  fi
  number=$((number + 1))
done

# 4. Complete the upload: the answer is the file.
jq -n --arg path "$path" '{file_path: $path}' | call "$STOWAGE_URL/api/storage/complete/" -d @-
rm "$opened"
