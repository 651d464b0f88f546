CREATE TABLE `notification_topic` (
	`application_id` integer NOT NULL,
	`topic` text NOT NULL,
	`missed` integer NOT NULL,
	`off_at` integer,
	PRIMARY KEY(`application_id`, `topic`)
);
--> statement-breakpoint
ALTER TABLE `notification_attempt` ADD `switched_off` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `notification_ended` ON `notification` (`ended_at`);