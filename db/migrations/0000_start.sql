CREATE TABLE `contact_event` (
	`user_id` integer NOT NULL,
	`kind` text NOT NULL,
	`at` integer NOT NULL,
	`seq` integer NOT NULL,
	`item_id` text NOT NULL,
	`buyer_id` integer,
	PRIMARY KEY(`user_id`, `kind`, `at`, `seq`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `contact_item_hour` (
	`item_id` text NOT NULL,
	`kind` text NOT NULL,
	`hour` integer NOT NULL,
	`n` integer NOT NULL,
	PRIMARY KEY(`item_id`, `kind`, `hour`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `contact_user_hour` (
	`user_id` integer NOT NULL,
	`kind` text NOT NULL,
	`hour` integer NOT NULL,
	`n` integer NOT NULL,
	PRIMARY KEY(`user_id`, `kind`, `hour`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `item` (
	`id` text PRIMARY KEY NOT NULL,
	`site_id` text NOT NULL,
	`title` text NOT NULL,
	`seller_id` integer NOT NULL,
	`price` real NOT NULL,
	`currency_id` text NOT NULL,
	`status` text NOT NULL,
	`shipping_mode` text NOT NULL,
	`in_flex` integer NOT NULL,
	`date_created` integer NOT NULL,
	`last_updated` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `item_seller` ON `item` (`seller_id`,`id`);--> statement-breakpoint
CREATE TABLE `access_token` (
	`token` text PRIMARY KEY NOT NULL,
	`application_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`expires_at` integer
);
--> statement-breakpoint
CREATE TABLE `application` (
	`id` integer PRIMARY KEY NOT NULL,
	`secret` text NOT NULL,
	`name` text NOT NULL,
	`redirect_uri` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `application_grant` (
	`application_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`date_created` integer NOT NULL,
	PRIMARY KEY(`application_id`, `user_id`)
);
--> statement-breakpoint
CREATE INDEX `application_grant_user` ON `application_grant` (`user_id`);--> statement-breakpoint
CREATE TABLE `authorization_code` (
	`code` text PRIMARY KEY NOT NULL,
	`application_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`redirect_uri` text NOT NULL,
	`code_challenge` text,
	`code_challenge_method` text,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `refresh_token` (
	`token` text PRIMARY KEY NOT NULL,
	`application_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `outbox` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`topic` text NOT NULL,
	`resource` text NOT NULL,
	`user_ids` text NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `blocked_buyer` (
	`seller_id` integer NOT NULL,
	`buyer_id` integer NOT NULL,
	`date_created` integer NOT NULL,
	PRIMARY KEY(`seller_id`, `buyer_id`)
);
--> statement-breakpoint
CREATE TABLE `question` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`seller_id` integer NOT NULL,
	`item_id` text NOT NULL,
	`from_id` integer NOT NULL,
	`text` text NOT NULL,
	`status` text NOT NULL,
	`date_created` integer NOT NULL,
	`answer_text` text,
	`answer_status` text,
	`answered_at` integer,
	`first_of_buyer` integer NOT NULL,
	`deleted_from_listing` integer DEFAULT 0 NOT NULL,
	`hold` integer DEFAULT 0 NOT NULL,
	`suspected_spam` integer DEFAULT 0 NOT NULL,
	`hidden` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `question_seller` ON `question` (`seller_id`,`date_created`,`id`);--> statement-breakpoint
CREATE INDEX `question_seller_status` ON `question` (`seller_id`,`status`,`date_created`,`id`);--> statement-breakpoint
CREATE INDEX `question_seller_item` ON `question` (`seller_id`,`item_id`,`id`);--> statement-breakpoint
CREATE INDEX `question_item` ON `question` (`item_id`,`date_created`,`id`);--> statement-breakpoint
CREATE INDEX `question_answered` ON `question` (`from_id`,`seller_id`) WHERE status = 'ANSWERED';--> statement-breakpoint
CREATE INDEX `question_from` ON `question` (`from_id`,`item_id`,`date_created`);--> statement-breakpoint
CREATE INDEX `question_response` ON `question` (`seller_id`,`date_created`,`answered_at`,`status`) WHERE first_of_buyer = 1;--> statement-breakpoint
CREATE INDEX `question_hidden` ON `question` (`seller_id`,`id`) WHERE hidden = 1;--> statement-breakpoint
CREATE TABLE `user` (
	`id` integer PRIMARY KEY NOT NULL,
	`site_id` text NOT NULL,
	`nickname` text NOT NULL,
	`password` text NOT NULL,
	`email` text NOT NULL,
	`first_name` text NOT NULL,
	`last_name` text NOT NULL,
	`phone` text NOT NULL,
	`address` text NOT NULL,
	`user_type` text NOT NULL,
	`tags` text NOT NULL,
	`level_id` text,
	`power_seller_status` text,
	`sales_completed` integer NOT NULL,
	`sales_canceled` integer NOT NULL,
	`status` text NOT NULL,
	`registration_date` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `sequence` (
	`name` text PRIMARY KEY NOT NULL,
	`n` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `world` (
	`id` integer PRIMARY KEY NOT NULL,
	`scenario` text NOT NULL,
	`seed` integer NOT NULL,
	`now` integer,
	`origin` integer NOT NULL,
	`clock_mode` text NOT NULL,
	`clock_ms` integer NOT NULL,
	`key` text NOT NULL,
	`switches` text NOT NULL
);
