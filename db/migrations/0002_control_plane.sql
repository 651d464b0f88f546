CREATE TABLE `fault` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`method` text,
	`path` text,
	`user_id` integer,
	`action` text NOT NULL,
	`probability` real NOT NULL,
	`seed` integer NOT NULL,
	`times` integer,
	`matched` integer DEFAULT 0 NOT NULL,
	`applied` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
ALTER TABLE `world` ADD `made_at` integer;