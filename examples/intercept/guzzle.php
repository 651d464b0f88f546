<?php
require 'GuzzleHttp/autoload.php';

$client = new GuzzleHttp\Client(['base_uri' => 'https://api.mercadolibre.com']);
$headers = ['Authorization' => 'Bearer ' . getenv('MERCADITO_TOKEN')];
echo $client->get('/users/me', ['headers' => $headers])->getBody();
