require "httparty"

path, url, *rest = ARGV

File.open(path, "rb") do |file|
  headers = rest.each_slice(2).to_h.merge("Content-Length" => file.size.to_s)
  answer = HTTParty.put(url, body_stream: file, headers: headers, timeout: 60)
  abort("#{answer.code} #{answer.body}") if answer.code != 200
end
