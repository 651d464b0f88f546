<?php
declare(strict_types=1);

require_once __DIR__ . '/../answers.php';
require_once __DIR__ . '/MercaditoWorld.php';

use PHPUnit\Framework\TestCase;

final class ErrorsTest extends TestCase
{
    use MercaditoWorld;

    public function testReportsAnErrorOfTheService(): void
    {
        // Only in the world of this test.
        $this->control('POST', '/faults', ['match' => ['path' => '/answers'], 'action' => ['status' => 500], 'times' => 1]);
        $this->control('POST', '/questions', ['item_id' => 'MLA1400000001', 'text' => '¿Hay stock?']);
        try {
            answer_all($this->url, $this->world['sellers'][0]['token'], 'Sí.');
            $this->fail('the error was not reported');
        } catch (RuntimeException $error) {
            $this->assertStringContainsString('/answers: 500', $error->getMessage());
        }
        $this->control('POST', '/verify', ['method' => 'POST', 'path' => '/answers', 'times' => 1]);
    }
}
