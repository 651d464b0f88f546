DROP INDEX `notification_due`;--> statement-breakpoint
ALTER TABLE `notification` ADD `behind` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `notification_due` ON `notification` (`application_id`,`status`,`behind`,`next_at`,`id`);--> statement-breakpoint
ALTER TABLE `notification_setting` ADD `in_order` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
UPDATE `notification_setting` SET `in_order` = 0 WHERE `profile` <> 'ideal';--> statement-breakpoint
UPDATE `notification` SET `behind` = 1 WHERE `status` = 'pending' AND `application_id` IN (SELECT `application_id` FROM `notification_setting` WHERE `in_order`) AND EXISTS (SELECT 1 FROM `notification` p WHERE p.`application_id` = `notification`.`application_id` AND p.`resource` = `notification`.`resource` AND p.`status` = 'pending' AND p.`id` < `notification`.`id`);
