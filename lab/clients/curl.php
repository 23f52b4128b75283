<?php
[, $path, $url] = $argv;
$headers = array_map(fn($pair) => "$pair[0]: $pair[1]", array_chunk(array_slice($argv, 3), 2));

$curl = curl_init($url);
curl_setopt_array($curl, [
    CURLOPT_UPLOAD => true,
    CURLOPT_INFILE => fopen($path, 'rb'),
    // Without it, curl sends chunks.
    CURLOPT_INFILESIZE => filesize($path),
    CURLOPT_HTTPHEADER => $headers,
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_TIMEOUT => 300,
]);
$body = curl_exec($curl);
$status = curl_getinfo($curl, CURLINFO_RESPONSE_CODE);
if ($status !== 200) {
    fwrite(STDERR, "$status $body " . curl_error($curl));
    exit(1);
}
