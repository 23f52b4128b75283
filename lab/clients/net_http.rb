require "net/http"

path, url, *rest = ARGV
uri = URI(url)

File.open(path, "rb") do |file|
  request = Net::HTTP::Put.new(uri, rest.each_slice(2).to_h)
  request["Content-Length"] = file.size
  request.body_stream = file
  answer = Net::HTTP.start(uri.host, uri.port, use_ssl: uri.scheme == "https", write_timeout: 60) do |http|
    http.request(request)
  end
  abort("#{answer.code} #{answer.body}") if answer.code != "200"
end
