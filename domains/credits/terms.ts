/** The terms that a lead offers to the buyer. */
export interface Terms {
  down_payment_amount: number
  installments_number: number
  installments_amount: number
}

/** Defaults: simple interest per month, the down payment and the number of installments. */
const MONTHLY_INTEREST = 0.012
const DOWN_PAYMENT_SHARE = 0.2
const INSTALLMENTS = 12

/** Realistic terms for a price: requested ones stay, the rest follows from them. Amounts have at most two decimals. */
export function termsOf(price: number, requested: Partial<Terms>): Terms {
  const down_payment_amount = requested.down_payment_amount ?? roundToCents(price * DOWN_PAYMENT_SHARE)
  const installments_number = requested.installments_number ?? INSTALLMENTS
  const financed = Math.max(0, price - down_payment_amount)
  const installments_amount =
    requested.installments_amount ??
    roundToCents((financed * (1 + MONTHLY_INTEREST * installments_number)) / installments_number)
  return { down_payment_amount, installments_number, installments_amount }
}

const roundToCents = (amount: number): number => Math.round(amount * 100) / 100
