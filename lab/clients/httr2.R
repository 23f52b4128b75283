library(httr2)

args <- commandArgs(trailingOnly = TRUE)
headers <- args[-(1:2)]
names <- headers[c(TRUE, FALSE)]
values <- setNames(as.list(headers[c(FALSE, TRUE)]), tolower(names))

put <- request(args[2]) |>
  req_method("PUT") |>
  req_body_file(args[1], type = values[["content-type"]]) |>
  req_timeout(300) |>
  req_error(is_error = \(answer) FALSE)
values[["content-type"]] <- NULL
answer <- put |> req_headers(!!!values) |> req_perform()
if (resp_status(answer) != 200) stop(resp_status(answer), " ", resp_body_string(answer))
