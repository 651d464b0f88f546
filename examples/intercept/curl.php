<?php
$call = curl_init('https://api.mercadolibre.com/users/me');
curl_setopt($call, CURLOPT_HTTPHEADER, ['Authorization: Bearer ' . getenv('MERCADITO_TOKEN')]);
curl_exec($call) || exit(1);
