<?php
declare(strict_types=1);

/** Calls the marketplace, or with no token the sandbox's control plane. */
function call(string $method, string $url, ?array $body = null, ?string $token = null): ?array
{
    $context = stream_context_create(['http' => [
        'method' => $method,
        'header' => ['Content-Type: application/json', ...($token ? ["Authorization: Bearer $token"] : [])],
        'content' => $body === null ? '' : json_encode($body),
        'ignore_errors' => true,
    ]]);
    $text = file_get_contents($url, false, $context);
    $status = (int) explode(' ', $http_response_header[0])[1];
    if ($status >= 400) throw new RuntimeException("$method $url: $status $text");
    return $text === '' ? null : json_decode($text, true);
}

/** What is tested: answers every open question of a seller with the same text. */
function answer_all(string $url, string $token, string $text): int
{
    $questions = call('GET', "$url/questions/search?status=UNANSWERED&limit=100", null, $token)['questions'];
    foreach ($questions as ['id' => $id]) call('POST', "$url/answers", ['question_id' => $id, 'text' => $text], $token);
    return count($questions);
}

function check(bool $good, string $what): void
{
    if (!$good) throw new RuntimeException("$what: no");
    echo "$what: yes\n";
}

$base = getenv('MERCADITO_URL');
// A marketplace for these tests alone.
$world = call('POST', "$base/_sandbox/worlds", ['scenario' => 'demo', 'now' => '2026-03-02T12:00:00Z']);
['url' => $url, 'sellers' => [$seller], 'buyers' => [$buyer]] = $world;

$question = ['item_id' => 'MLA1400000001', 'from' => $buyer['id'], 'text' => '¿Hay stock?'];
$asked = call('POST', "$url/_sandbox/questions", $question);
check(answer_all($url, $seller['token'], '¡Hola! Sí.') > 0, 'open questions are answered');
$read = call('GET', "$url/questions/{$asked['id']}", null, $seller['token']);
check($read['answer']['text'] === '¡Hola! Sí.', 'with the text');
$expected = ['method' => 'POST', 'path' => '/answers', 'body' => ['question_id' => $asked['id']], 'times' => 1];
call('POST', "$url/_sandbox/verify", $expected);

call('POST', "$url/_sandbox/faults", ['match' => ['path' => '/answers'], 'action' => ['status' => 500]]);
call('POST', "$url/_sandbox/questions", $question);
try {
    answer_all($url, $seller['token'], 'Sí');
    check(false, 'what the service refuses is told');
} catch (RuntimeException $error) {
    check(str_contains($error->getMessage(), '/answers: 500'), 'what the service refuses is told');
}
call('DELETE', "$base/_sandbox/worlds/{$world['world']['id']}");
