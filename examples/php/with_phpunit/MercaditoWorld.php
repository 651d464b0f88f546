<?php
declare(strict_types=1);

/** Gives each test of a TestCase a world of its own on the server of MERCADITO_URL, which `mercadito exec` sets. */
trait MercaditoWorld
{
    /** Base address of the world. */
    protected string $url;
    /** The answer of POST /_sandbox/worlds: application, sellers and buyers with their tokens. */
    protected array $world;

    /** What worlds begin with; a TestCase may override it. */
    protected function worldContent(): array
    {
        return ['scenario' => 'demo'];
    }

    /** @before */
    #[\PHPUnit\Framework\Attributes\Before]
    protected function createWorld(): void
    {
        // The server deletes the world itself if the test is killed.
        $this->world = $this->onServer('POST', '/worlds', $this->worldContent() + ['expires_in' => 3600]);
        $this->url = $this->world['url'];
    }

    /** @after */
    #[\PHPUnit\Framework\Attributes\After]
    protected function deleteWorld(): void
    {
        if (isset($this->world)) $this->onServer('DELETE', "/worlds/{$this->world['world']['id']}");
    }

    /** Sends a control call to the world of the test. */
    protected function control(string $method, string $path, ?array $body = null): ?array
    {
        return $this->send($method, "{$this->url}/_sandbox$path", $body);
    }

    private function onServer(string $method, string $path, ?array $body = null): ?array
    {
        $server = getenv('MERCADITO_URL');
        if (!$server) throw new RuntimeException('MERCADITO_URL is missing: run the tests with mercadito exec');
        return $this->send($method, "$server/_sandbox$path", $body);
    }

    private function send(string $method, string $url, ?array $body): ?array
    {
        $token = getenv('MERCADITO_ADMIN_TOKEN');
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
}
