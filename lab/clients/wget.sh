path=$1 url=$2
shift 2
headers=$(mktemp)
trap 'rm -f "$headers"' EXIT
while [ $# -gt 0 ]; do
  echo "header = $1: $2" >> "$headers"
  shift 2
done
wget -q --config="$headers" --content-on-error --tries=1 --timeout=60 --method=PUT --body-file="$path" -O - "$url"
