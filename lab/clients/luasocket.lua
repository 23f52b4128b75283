local http = require("socket.http")
local ltn12 = require("ltn12")

local path, url = arg[1], arg[2]
local file = assert(io.open(path, "rb"))
-- LuaSocket sends chunks without it.
local headers = { ["Content-Length"] = file:seek("end") }
file:seek("set")
for i = 3, #arg, 2 do headers[arg[i]] = arg[i + 1] end

local answer = {}
http.TIMEOUT = 60
local _, status = http.request({
  url = url, method = "PUT", headers = headers,
  source = ltn12.source.file(file), sink = ltn12.sink.table(answer),
})
if status ~= 200 then
  io.stderr:write(status, " ", table.concat(answer))
  os.exit(1)
end
