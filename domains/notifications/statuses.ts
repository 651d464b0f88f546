export const NOTIFICATION_STATUSES = ['pending', 'delivered', 'missed', 'held', 'dropped', 'silenced'] as const
export type NotificationStatus = (typeof NOTIFICATION_STATUSES)[number]
