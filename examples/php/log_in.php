<?php
declare(strict_types=1);

$base = getenv('MERCADITO_URL');
$client = ['client_id' => getenv('MERCADITO_CLIENT_ID'), 'client_secret' => getenv('MERCADITO_CLIENT_SECRET')];
$redirectUri = getenv('MERCADITO_REDIRECT_URI');

/** Sends one request and returns the status, the text and the address of a redirect, which is not followed. */
function send(string $method, string $url, string $body = '', ?string $token = null): array
{
    $context = stream_context_create(['http' => [
        'method' => $method,
        'header' => $token ? ["Authorization: Bearer $token"] : ['Content-Type: application/x-www-form-urlencoded'],
        'content' => $body,
        'ignore_errors' => true,
        'follow_location' => 0,
    ]]);
    $text = file_get_contents($url, false, $context);
    $status = (int) explode(' ', $http_response_header[0])[1];
    $locations = preg_grep('/^location: /i', $http_response_header);
    return [$status, $text, $locations ? substr(reset($locations), strlen('location: ')) : null];
}

function request_tokens(array $parameters): array
{
    global $base, $client;
    [$status, $text] = send('POST', "$base/oauth/token", http_build_query($client + $parameters));
    $answer = json_decode($text, true);
    if ($status !== 200) throw new RuntimeException("$answer[error]: $answer[error_description]");
    return $answer;
}

/** Keeps the tokens of one user in a file. Processes that need new ones at the same time share one refresh. */
class Session
{
    public function __construct(private string $file) {}

    public function get(string $path): array
    {
        global $base;
        $used = json_decode(file_get_contents($this->file), true)['access_token'];
        [$status, $text] = send('GET', $base . $path, '', $used);
        if ($status === 401) [, $text] = send('GET', $base . $path, '', $this->refresh($used));
        return json_decode($text, true);
    }

    private function refresh(string $used): string
    {
        $file = fopen($this->file, 'r+');
        flock($file, LOCK_EX);
        $tokens = json_decode(stream_get_contents($file), true);
        if ($tokens['access_token'] === $used) {
            $tokens = request_tokens(['grant_type' => 'refresh_token', 'refresh_token' => $tokens['refresh_token']]);
            // Store both tokens before they are used: the old refresh token no longer works.
            rewind($file);
            ftruncate($file, 0);
            fwrite($file, json_encode($tokens));
            echo "refreshed\n";
        }
        fclose($file);
        return $tokens['access_token'];
    }
}

// The address that the person opens, and what must be kept until they return.
$state = bin2hex(random_bytes(16));
$verifier = rtrim(strtr(base64_encode(random_bytes(32)), '+/', '-_'), '=');
$address = "$base/authorization?" . http_build_query([
    'response_type' => 'code',
    'client_id' => $client['client_id'],
    'redirect_uri' => $redirectUri,
    'state' => $state,
    'code_challenge' => rtrim(strtr(base64_encode(hash('sha256', $verifier, true)), '+/', '-_'), '='),
    'code_challenge_method' => 'S256',
]);

// A person would open the address in a browser; a test picks the user with the same form.
[$status, $text, $location] = send('POST', "$address&user_id=" . getenv('MERCADITO_SELLER_ID'));
if ($status !== 302) throw new RuntimeException($text);
parse_str(parse_url($location, PHP_URL_QUERY), $returned);
if ($returned['state'] !== $state) exit("the answer belongs to another login\n");

$exchange = [
    'grant_type' => 'authorization_code',
    'code' => $returned['code'],
    'redirect_uri' => $redirectUri,
    'code_verifier' => $verifier,
];
$tokens = request_tokens($exchange);
$file = tempnam(sys_get_temp_dir(), 'tokens');
file_put_contents($file, json_encode($tokens));
$session = new Session($file);
echo 'logged in as ', $session->get('/users/me')['nickname'], "\n";

try {
    request_tokens($exchange);
} catch (RuntimeException $error) {
    echo "the code again: {$error->getMessage()}\n";
}

// Six hours later, for the world only.
send('POST', "$base/_sandbox/clock/advance", '{"by":"PT6H"}');
['nickname' => $nickname] = $session->get('/users/me');
echo "a call after six hours: $nickname\n";

try {
    request_tokens(['grant_type' => 'refresh_token', 'refresh_token' => $tokens['refresh_token']]);
} catch (RuntimeException $error) {
    echo "the first refresh token again: {$error->getMessage()}\n";
}
unlink($file);
