require "faraday"

path, url, *rest = ARGV

File.open(path, "rb") do |file|
  headers = rest.each_slice(2).to_h.merge("Content-Length" => file.size.to_s)
  answer = Faraday.new(request: { timeout: 60 }).put(url, file, headers)
  abort("#{answer.status} #{answer.body}") if answer.status != 200
end
