DROP INDEX `notification_due`;--> statement-breakpoint
CREATE INDEX `notification_due` ON `notification` (`application_id`,`status`,`next_at`,`id`);