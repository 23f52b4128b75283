[path, url | rest] = System.argv()
{:ok, _} = Application.ensure_all_started(:inets)
{:ok, _} = Application.ensure_all_started(:ssl)

pairs = rest |> Enum.chunk_every(2) |> Enum.map(fn [name, value] -> {String.downcase(name), value} end)
# httpc takes the type apart from the other headers, and sets Content-Length itself.
{[{_, type}], others} = Enum.split_with(pairs, fn {name, _} -> name == "content-type" end)
headers = Enum.map(others, fn {name, value} -> {to_charlist(name), to_charlist(value)} end)

request = {to_charlist(url), headers, to_charlist(type), File.read!(path)}
{:ok, {{_, status, _}, _, body}} = :httpc.request(:put, request, [timeout: 300_000], [])

if status != 200 do
  IO.puts(:stderr, "#{status} #{body}")
  System.halt(1)
end
