import { visible } from '../../parts/text.ts'
import { dateTimeOf } from '../../words/time.ts'
import { words } from '../words.ts'
import type { Context } from './states.ts'

/** What was asked and answered, as a conversation. */
export function Thread({ question: { text, answer, date_created }, seller, buyer }: Context) {
  const w = words().questions
  return (
    <div class="thread">
      <div class="bubble" data-side="buyer">
        {text ? <bdi>{visible(text)}</bdi> : <span class="muted">{w.erased}</span>}
        <footer>
          <bdi>{buyer ? visible(buyer.nickname) : w.guestName}</bdi> · <time>{dateTimeOf(date_created)}</time>
        </footer>
      </div>
      {answer && (
        <div class="bubble" data-side="seller">
          {answer.text ? <bdi>{visible(answer.text)}</bdi> : <span class="muted">{w.erased}</span>}
          <footer>
            <bdi>{visible(seller.nickname)}</bdi> · <time>{dateTimeOf(answer.date_created)}</time>
            {answer.status !== 'ACTIVE' && (
              <>
                {' '}
                <span class="badge" data-tone="bad">
                  {w[`answerStatus${answer.status}`]}
                </span>
              </>
            )}
          </footer>
        </div>
      )}
    </div>
  )
}
