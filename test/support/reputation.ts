/** The numbers of a seller without sales in the world; those before it are given. */
export function reputationNumbers({ canceled = 0, completed = 0 } = {}) {
  const none = { period: '60 days', rate: 0, value: 0 }
  const ratings = { negative: 0, neutral: 0, positive: 0 }
  return {
    transactions: { canceled, completed, period: 'historic', ratings, total: canceled + completed },
    metrics: {
      sales: { period: '60 days', completed: 0 },
      ...{ claims: none, delayed_handling_time: none, cancellations: none },
    },
  }
}
