<?php
[, $path, $url] = $argv;
$headers = array_map(fn($pair) => "$pair[0]: $pair[1]", array_chunk(array_slice($argv, 3), 2));
// PHP adds the length itself, but not for an empty file.
$headers[] = 'Content-Length: ' . filesize($path);

$context = stream_context_create(['http' => [
    'method' => 'PUT',
    'header' => $headers,
    'content' => file_get_contents($path), // the whole file is in memory
    'ignore_errors' => true,
    'timeout' => 60,
]]);
$body = file_get_contents($url, false, $context);
if (!str_contains($http_response_header[0] ?? '', ' 200')) {
    fwrite(STDERR, ($http_response_header[0] ?? 'no answer') . " $body");
    exit(1);
}
