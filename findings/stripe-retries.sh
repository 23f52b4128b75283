#!/usr/bin/env bash
# stripe 23.1.0 (Node library): a closed connection is retried although retries are off, and a 429 is not retried although they are on.
#
# Behaviour: with `maxNetworkRetries: 0`, a POST whose connection closes before the answer is sent a second time. With `maxNetworkRetries: 2`,
#   409 and 500 are sent again, and 429 is not: it rejects with StripeRateLimitError at the first answer, unless the answer has the header
#   `stripe-should-retry: true`. All of them carry an Idempotency-Key.
# Wrong guess: 0 means one request for each call, so a job may count its own tries; and the status that asks for patience is among those
#   that are retried. A job that sends many meter events must wait and repeat by itself.
# Seen:
#   maxNetworkRetries 0, closed connection: answered after 2 requests
#   maxNetworkRetries 0, 409: StripeAPIError after 1 request
#   maxNetworkRetries 0, 429: StripeRateLimitError after 1 request
#   maxNetworkRetries 0, 500: StripeAPIError after 1 request
#   maxNetworkRetries 2, closed connection: answered after 2 requests
#   maxNetworkRetries 2, 409: answered after 2 requests
#   maxNetworkRetries 2, 429: StripeRateLimitError after 1 request
#   maxNetworkRetries 2, 500: answered after 2 requests
#
# Exit code: 0 while this holds, 1 if it changed, 2 if it could not run.
set -u
box=$(mktemp -d) || exit 2
trap 'rm -rf "$box"' EXIT
cd "$box" || exit 2
npm install --no-audit --no-fund --loglevel=error stripe@23.1.0 >/dev/null || exit 2
cat >look.mjs <<'JS'
import { createServer } from "node:http";
import Stripe from "stripe";

// The first answer to a request; every other one is 200.
let first;
let requests = 0;
const server = createServer((request, response) => {
  request.resume().on("end", () => {
    requests++;
    if (requests > 1) response.setHeader("Content-Type", "application/json").end("{}");
    else if (first === "closed connection") request.socket.destroy();
    else response.writeHead(first, { "Content-Type": "application/json" }).end('{"error":{"message":"no"}}');
  });
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const { port } = server.address();
for (const maxNetworkRetries of [0, 2]) {
  const stripe = new Stripe("sk_test_key", { host: "127.0.0.1", port, protocol: "http", maxNetworkRetries });
  for (first of ["closed connection", 409, 429, 500]) {
    requests = 0;
    const event = { event_name: "gb_hours", payload: { stripe_customer_id: "cus_1", value: "1" } };
    const end = await stripe.billing.meterEvents.create(event).then(() => "answered", (error) => error.type);
    console.log(`maxNetworkRetries ${maxNetworkRetries}, ${first}: ${end} after ${requests} request${requests > 1 ? "s" : ""}`);
  }
}
server.close();
JS
wanted="maxNetworkRetries 0, closed connection: answered after 2 requests
maxNetworkRetries 0, 409: StripeAPIError after 1 request
maxNetworkRetries 0, 429: StripeRateLimitError after 1 request
maxNetworkRetries 0, 500: StripeAPIError after 1 request
maxNetworkRetries 2, closed connection: answered after 2 requests
maxNetworkRetries 2, 409: answered after 2 requests
maxNetworkRetries 2, 429: StripeRateLimitError after 1 request
maxNetworkRetries 2, 500: answered after 2 requests"
seen=$(timeout 100 node look.mjs) || exit 2
printf '%s\n' "$seen"
[ "$seen" = "$wanted" ]
