<?php
declare(strict_types=1);

require_once __DIR__ . '/../answers.php';
require_once __DIR__ . '/MercaditoWorld.php';

use PHPUnit\Framework\TestCase;

final class AnswersTest extends TestCase
{
    use MercaditoWorld;

    protected function worldContent(): array
    {
        return ['scenario' => 'quiet', 'now' => '2026-03-02T12:00:00Z'];
    }

    public function testAnswersEveryOpenQuestion(): void
    {
        $this->control('POST', '/questions', ['item_id' => 'MLA1400000001', 'text' => '¿Hay stock?']);
        $this->assertSame(1, answer_all($this->url, $this->world['sellers'][0]['token'], 'Sí.'));
        // Counts the calls of this test only: all others have worlds of their own.
        $this->control('POST', '/verify', ['method' => 'POST', 'path' => '/answers', 'times' => 1]);
    }

    public function testFindsNothingToAnswer(): void
    {
        $this->assertSame(0, answer_all($this->url, $this->world['sellers'][0]['token'], 'Sí.'));
        $this->control('POST', '/verify', ['path' => '/answers', 'times' => 0]);
    }
}
