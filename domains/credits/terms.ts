/** What a buyer would pay. */
export interface Terms {
  down_payment_amount: number
  installments_number: number
  installments_amount: number
}

/** Simple interest of a month, and what is paid at once, where nobody says otherwise. */
const MONTHLY_INTEREST = 0.012
const DOWN_PAYMENT_SHARE = 0.2
const INSTALLMENTS = 12

/**
 * Believable terms for a price; those that are given stay, and the others follow from them. Amounts have at most two
 * decimals.
 */
export function termsOf(price: number, given: Partial<Terms>): Terms {
  const down_payment_amount = given.down_payment_amount ?? roundToCents(price * DOWN_PAYMENT_SHARE)
  const installments_number = given.installments_number ?? INSTALLMENTS
  const financed = Math.max(0, price - down_payment_amount)
  const installments_amount =
    given.installments_amount ??
    roundToCents((financed * (1 + MONTHLY_INTEREST * installments_number)) / installments_number)
  return { down_payment_amount, installments_number, installments_amount }
}

const roundToCents = (amount: number): number => Math.round(amount * 100) / 100
