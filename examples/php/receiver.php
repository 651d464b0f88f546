<?php
declare(strict_types=1);

// PHP's own web server runs this file for each notification. It prints one line and answers 200.
$notification = json_decode(file_get_contents('php://input'), true);
['topic' => $topic, 'resource' => $resource, 'user_id' => $user, 'attempts' => $attempts] = $notification;
file_put_contents('php://stdout', "$topic: $resource for $user, attempt $attempts\n");
