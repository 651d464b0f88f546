<?php
// PHP's own streams read no proxy from the environment: their context must name it.
$proxy = getenv('HTTPS_PROXY') ? ['proxy' => str_replace('http://', 'tcp://', getenv('HTTPS_PROXY'))] : [];
$headers = 'Authorization: Bearer ' . getenv('MERCADITO_TOKEN');
$context = stream_context_create(['http' => ['header' => $headers] + $proxy]);
echo file_get_contents('https://api.mercadolibre.com/users/me', false, $context);
