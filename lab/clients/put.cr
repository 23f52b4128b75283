require "http/client"

path, url = ARGV[0], ARGV[1]
headers = HTTP::Headers.new
ARGV[2..].each_slice(2) { |pair| headers[pair[0]] = pair[1] }

File.open(path) do |file|
  # Without it, Crystal sends chunks.
  headers["Content-Length"] = file.size.to_s
  answer = HTTP::Client.put(url, headers, file)
  abort "#{answer.status_code} #{answer.body}" if answer.status_code != 200
end
