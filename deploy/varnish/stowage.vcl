# deploy/varnish/stowage.vcl: Varnish in front of two replicas of the service (-a service=:8080), and a cache in front of your own S3 server
# (-a storage=:8081)
vcl 4.1;
import directors;

# Without a probe, a replica that restarts answers with 503.
probe ready { .url = "/readyz"; .interval = 1s; .window = 2; .threshold = 1; .initial = 1; }
backend replica1 { .host = "10.0.0.11"; .port = "4000"; .probe = ready; }
backend replica2 { .host = "10.0.0.12"; .port = "4000"; .probe = ready; }
backend storage { .host = "10.0.0.31"; .port = "9000"; }

sub vcl_init {
  new replicas = directors.round_robin();
  replicas.add_backend(replica1);
  replicas.add_backend(replica2);
}

sub vcl_recv {
  if (local.socket == "service") {
    # https behind TLS. Varnish passes on what the client sent.
    set req.http.X-Forwarded-Proto = "http";
    set req.backend_hint = replicas.backend();
    return (pass);
  }
  set req.backend_hint = storage;
  if (req.method != "GET" && req.method != "HEAD") { return (pipe); }
  # The signature of a GET is not valid for HEAD. One in a header is not in the key of the cache. Storage answers many ranges.
  if (req.method == "HEAD" || req.http.Authorization || req.http.Range) { return (pass); }
  return (hash);
}

# Behind the whole URL and the host. Storage sends CORS headers only to a request with Origin.
sub vcl_hash {
  hash_data(req.http.Origin);
}

sub vcl_backend_response {
  # Varnish keeps a public file without Cache-Control for two minutes, and every file ten seconds longer than it may.
  set beresp.grace = 0s;
  if (!beresp.http.Cache-Control && !beresp.http.Expires) { set beresp.ttl = 0s; }
}

sub vcl_deliver {
  if (obj.hits > 0) { set resp.http.X-Cache = "HIT"; } else { set resp.http.X-Cache = "MISS"; }
}
