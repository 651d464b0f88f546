DROP TRIGGER `question_counts`;
--> statement-breakpoint
DROP TRIGGER `question_counts_no_more`;
--> statement-breakpoint
DROP TRIGGER `question_counts_otherwise`;
--> statement-breakpoint
CREATE TABLE `asker_total` (
	`from_id` integer NOT NULL,
	`seller_id` integer NOT NULL,
	`status` text NOT NULL,
	`hidden` integer NOT NULL,
	`n` integer NOT NULL,
	PRIMARY KEY(`from_id`, `seller_id`, `status`, `hidden`)
) WITHOUT ROWID;
--> statement-breakpoint
DROP TABLE `question_day`;
--> statement-breakpoint
CREATE TABLE `question_day` (
	`seller_id` integer NOT NULL,
	`status` text NOT NULL,
	`day` integer NOT NULL,
	`hidden` integer NOT NULL,
	`n` integer NOT NULL,
	PRIMARY KEY(`seller_id`, `status`, `day`, `hidden`)
) WITHOUT ROWID;
--> statement-breakpoint
DROP INDEX `question_answered`;--> statement-breakpoint
DROP INDEX `question_item`;--> statement-breakpoint
CREATE INDEX `question_item` ON `question` (`item_id`,`date_created`,`id`,`from_id`,`status`,`hidden`);--> statement-breakpoint
CREATE INDEX `question_asker` ON `question` (`from_id`,`date_created`,`id`,`seller_id`,`status`,`hidden`);--> statement-breakpoint
DROP INDEX `credit_lead_seller`;--> statement-breakpoint
CREATE INDEX `credit_lead_status` ON `credit_lead` (`seller_id`,`status`,date_created DESC,`id`,`financial_entity_id`,`item_id`);--> statement-breakpoint
CREATE INDEX `credit_lead_created` ON `credit_lead` (date_created DESC,`id`,`status`);--> statement-breakpoint
CREATE INDEX `credit_lead_seller` ON `credit_lead` (`seller_id`,date_created DESC,`id`,`financial_entity_id`,`item_id`);--> statement-breakpoint
INSERT INTO `asker_total` SELECT `from_id`, `seller_id`, `status`, `hidden`, count(*) FROM `question` GROUP BY 1, 2, 3, 4;
--> statement-breakpoint
INSERT INTO `question_day` SELECT `seller_id`, `status`, `date_created` / 86400000, `hidden`, count(*) FROM `question` GROUP BY 1, 2, 3, 4;
--> statement-breakpoint
CREATE TRIGGER `question_counts` AFTER INSERT ON `question` BEGIN
	INSERT INTO `question_day` VALUES (new.`seller_id`, new.`status`, new.`date_created` / 86400000, new.`hidden`, 1) ON CONFLICT DO UPDATE SET `n` = `n` + 1;
	INSERT INTO `asker_total` VALUES (new.`from_id`, new.`seller_id`, new.`status`, new.`hidden`, 1) ON CONFLICT DO UPDATE SET `n` = `n` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `question_counts_no_more` AFTER DELETE ON `question` BEGIN
	UPDATE `question_day` SET `n` = `n` - 1 WHERE (`seller_id`, `status`, `day`, `hidden`) = (old.`seller_id`, old.`status`, old.`date_created` / 86400000, old.`hidden`);
	UPDATE `asker_total` SET `n` = `n` - 1 WHERE (`from_id`, `seller_id`, `status`, `hidden`) = (old.`from_id`, old.`seller_id`, old.`status`, old.`hidden`);
END;
--> statement-breakpoint
CREATE TRIGGER `question_counts_otherwise` AFTER UPDATE OF `status`, `hidden` ON `question`
WHEN (old.`status`, old.`hidden`) <> (new.`status`, new.`hidden`) BEGIN
	INSERT INTO `question_day` VALUES (old.`seller_id`, old.`status`, old.`date_created` / 86400000, old.`hidden`, -1),
		(new.`seller_id`, new.`status`, new.`date_created` / 86400000, new.`hidden`, 1) ON CONFLICT DO UPDATE SET `n` = `n` + excluded.`n`;
	INSERT INTO `asker_total` VALUES (old.`from_id`, old.`seller_id`, old.`status`, old.`hidden`, -1),
		(new.`from_id`, new.`seller_id`, new.`status`, new.`hidden`, 1) ON CONFLICT DO UPDATE SET `n` = `n` + excluded.`n`;
END;
