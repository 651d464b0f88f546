CREATE TABLE `stub` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`method` text,
	`path` text NOT NULL,
	`match` text NOT NULL,
	`access` text NOT NULL,
	`override` integer NOT NULL,
	`position` integer NOT NULL,
	`times` integer,
	`hits` integer DEFAULT 0 NOT NULL,
	`answer` text NOT NULL
);
