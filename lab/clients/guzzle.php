<?php
require 'GuzzleHttp/autoload.php'; // yours: vendor/autoload.php

[, $path, $url] = $argv;
foreach (array_chunk(array_slice($argv, 3), 2) as [$name, $value]) {
    $headers[$name] = $value;
}

$client = new GuzzleHttp\Client(['http_errors' => false, 'timeout' => 300]);
$answer = $client->put($url, ['headers' => $headers, 'body' => fopen($path, 'rb')]);
if ($answer->getStatusCode() !== 200) {
    fwrite(STDERR, $answer->getStatusCode() . ' ' . $answer->getBody());
    exit(1);
}
