CREATE TABLE `notification` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`outbox_id` integer NOT NULL,
	`application_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`topic` text NOT NULL,
	`resource` text NOT NULL,
	`received` integer NOT NULL,
	`status` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`first_at` integer,
	`next_at` integer NOT NULL,
	`leased_until` integer,
	`ended_at` integer
);
--> statement-breakpoint
CREATE INDEX `notification_due` ON `notification` (`status`,`next_at`,`id`);--> statement-breakpoint
CREATE INDEX `notification_application` ON `notification` (`application_id`,`status`,`id`);--> statement-breakpoint
CREATE INDEX `notification_resource` ON `notification` (`application_id`,`resource`,`status`,`id`);--> statement-breakpoint
CREATE TABLE `notification_attempt` (
	`notification_id` integer NOT NULL,
	`n` integer NOT NULL,
	`sent` integer NOT NULL,
	`data` text NOT NULL,
	`url` text NOT NULL,
	`ms` integer NOT NULL,
	`http_code` integer,
	`headers` text NOT NULL,
	`body` text NOT NULL,
	`error` text,
	PRIMARY KEY(`notification_id`, `n`)
);
--> statement-breakpoint
CREATE TABLE `notification_setting` (
	`application_id` integer PRIMARY KEY NOT NULL,
	`callback_url` text NOT NULL,
	`topics` text NOT NULL,
	`profile` text NOT NULL,
	`overrides` text NOT NULL
);
