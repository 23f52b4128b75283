path=$1 url=$2
shift 2
while [ $# -gt 0 ]; do
  headers="$headers
$1: $2"
  shift 2
done
# -T sends the file as it is; -d would drop its newlines. -g takes [ ] { } of its name as they are.
echo "$headers" | curl -sS --fail-with-body --max-time 300 -g -H @- -T "$path" "$url"
