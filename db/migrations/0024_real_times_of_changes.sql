ALTER TABLE `outbox` ADD `real_at` integer;--> statement-breakpoint
ALTER TABLE `outbox` ADD `cause` integer;--> statement-breakpoint
ALTER TABLE `notification` ADD `real_at` integer;--> statement-breakpoint
ALTER TABLE `notification` ADD `cause` integer;--> statement-breakpoint
ALTER TABLE `notification_attempt` ADD `real_sent` integer;--> statement-breakpoint
ALTER TABLE `notification_attempt` ADD `sent_headers` text;