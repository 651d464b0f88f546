<?php
declare(strict_types=1);

require __DIR__ . '/answers.php';

function check(bool $passed, string $title): void
{
    if (!$passed) throw new RuntimeException("failed: $title");
    echo "passed: $title\n";
}

$base = getenv('MERCADITO_URL');
// A world for these tests only.
$world = call('POST', "$base/_sandbox/worlds", ['scenario' => 'demo', 'now' => '2026-03-02T12:00:00Z']);
['url' => $url, 'sellers' => [$seller], 'buyers' => [$buyer]] = $world;

$question = ['item_id' => 'MLA1400000001', 'from' => $buyer['id'], 'text' => '¿Hay stock?'];
$asked = call('POST', "$url/_sandbox/questions", $question);
check(answer_all($url, $seller['token'], '¡Hola! Sí.') > 0, 'answers open questions');
$read = call('GET', "$url/questions/{$asked['id']}", null, $seller['token']);
check($read['answer']['text'] === '¡Hola! Sí.', 'sends the text of the answer');
$expected = ['method' => 'POST', 'path' => '/answers', 'body' => ['question_id' => $asked['id']], 'times' => 1];
call('POST', "$url/_sandbox/verify", $expected);

call('POST', "$url/_sandbox/faults", ['match' => ['path' => '/answers'], 'action' => ['status' => 500]]);
call('POST', "$url/_sandbox/questions", $question);
$message = '';
try {
    answer_all($url, $seller['token'], 'Sí');
} catch (RuntimeException $error) {
    $message = $error->getMessage();
}
check(str_contains($message, '/answers: 500'), 'reports an error of the service');
call('DELETE', "$base/_sandbox/worlds/{$world['world']['id']}");
