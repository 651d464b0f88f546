DROP INDEX `flex_subscription_user`;--> statement-breakpoint
ALTER TABLE `flex_subscription` ADD `origin` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `flex_subscription` ADD `zone_cutoffs` text;--> statement-breakpoint
ALTER TABLE `flex_subscription` ADD `holidays` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `flex_subscription_user` ON `flex_subscription` (`user_id`,`mode`,`origin`);