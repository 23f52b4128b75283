path=$1 url=$2
shift 2
while [ $# -gt 0 ]; do
  headers="$headers
$1: $2"
  shift 2
done
# -T sends the file as it is. -d would drop its newlines.
echo "$headers" | curl -sS --fail-with-body --max-time 300 -H @- -T "$path" "$url"
