<?php
require 'Symfony/Component/HttpClient/autoload.php'; // yours: vendor/autoload.php
use Symfony\Component\HttpClient\HttpClient;

[, $path, $url] = $argv;
foreach (array_chunk(array_slice($argv, 3), 2) as [$name, $value]) {
    $headers[$name] = $value;
}
$headers['Content-Length'] = filesize($path);

$answer = HttpClient::create()->request('PUT', $url, [
    'headers' => $headers,
    'body' => fopen($path, 'rb'),
    'timeout' => 60,
]);
if ($answer->getStatusCode() !== 200) {
    fwrite(STDERR, $answer->getStatusCode() . ' ' . $answer->getContent(false));
    exit(1);
}
