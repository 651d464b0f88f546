CREATE TABLE `question_total` (
	`scope` text NOT NULL,
	`seller_id` integer NOT NULL,
	`item_id` text NOT NULL,
	`from_id` integer NOT NULL,
	`status` text NOT NULL,
	`hidden` integer NOT NULL,
	`n` integer NOT NULL,
	PRIMARY KEY(`scope`, `seller_id`, `item_id`, `from_id`, `status`, `hidden`)
) WITHOUT ROWID;
--> statement-breakpoint
DROP INDEX `question_answered`;--> statement-breakpoint
DROP INDEX `question_item`;--> statement-breakpoint
DROP INDEX `question_from`;--> statement-breakpoint
CREATE INDEX `question_seller_id` ON `question` (`seller_id`,`id`,`status`);--> statement-breakpoint
CREATE INDEX `question_status` ON `question` (`status`,`id`);--> statement-breakpoint
CREATE INDEX `question_asker` ON `question` (`from_id`,`date_created`,`id`,`seller_id`,`status`,`hidden`);--> statement-breakpoint
CREATE INDEX `question_asker_status` ON `question` (`from_id`,`status`,`date_created`,`id`,`seller_id`,`hidden`);--> statement-breakpoint
CREATE INDEX `question_item` ON `question` (`item_id`,`date_created`,`id`,`status`,`hidden`);--> statement-breakpoint
CREATE INDEX `question_from` ON `question` (`from_id`,`item_id`,`date_created`,`id`,`status`,`hidden`);--> statement-breakpoint
DROP INDEX `credit_lead_seller`;--> statement-breakpoint
CREATE INDEX `credit_lead_status` ON `credit_lead` (`seller_id`,`status`,date_created DESC,`id`,`financial_entity_id`,`item_id`);--> statement-breakpoint
CREATE INDEX `credit_lead_created` ON `credit_lead` (date_created DESC,`id`,`status`);--> statement-breakpoint
CREATE INDEX `credit_lead_seller` ON `credit_lead` (`seller_id`,date_created DESC,`id`,`financial_entity_id`,`item_id`);--> statement-breakpoint
INSERT INTO `question_total` SELECT 'world', 0, '', 0, `status`, `hidden`, count(*) FROM `question` GROUP BY `status`, `hidden`;
--> statement-breakpoint
INSERT INTO `question_total` SELECT 'seller', `seller_id`, '', 0, `status`, `hidden`, count(*) FROM `question` GROUP BY `seller_id`, `status`, `hidden`;
--> statement-breakpoint
INSERT INTO `question_total` SELECT 'listing', 0, `item_id`, 0, `status`, `hidden`, count(*) FROM `question` GROUP BY `item_id`, `status`, `hidden`;
--> statement-breakpoint
INSERT INTO `question_total` SELECT 'asker', 0, '', `from_id`, `status`, `hidden`, count(*) FROM `question` GROUP BY `from_id`, `status`, `hidden`;
--> statement-breakpoint
INSERT INTO `question_total` SELECT 'pair', `seller_id`, '', `from_id`, `status`, `hidden`, count(*) FROM `question` GROUP BY `seller_id`, `from_id`, `status`, `hidden`;
--> statement-breakpoint
CREATE TRIGGER `question_totals` AFTER INSERT ON `question` BEGIN
	INSERT INTO `question_total` VALUES ('world', 0, '', 0, new.`status`, new.`hidden`, 1) ON CONFLICT DO UPDATE SET `n` = `n` + 1;
	INSERT INTO `question_total` VALUES ('seller', new.`seller_id`, '', 0, new.`status`, new.`hidden`, 1) ON CONFLICT DO UPDATE SET `n` = `n` + 1;
	INSERT INTO `question_total` VALUES ('listing', 0, new.`item_id`, 0, new.`status`, new.`hidden`, 1) ON CONFLICT DO UPDATE SET `n` = `n` + 1;
	INSERT INTO `question_total` VALUES ('asker', 0, '', new.`from_id`, new.`status`, new.`hidden`, 1) ON CONFLICT DO UPDATE SET `n` = `n` + 1;
	INSERT INTO `question_total` VALUES ('pair', new.`seller_id`, '', new.`from_id`, new.`status`, new.`hidden`, 1) ON CONFLICT DO UPDATE SET `n` = `n` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `question_totals_no_more` AFTER DELETE ON `question` BEGIN
	UPDATE `question_total` SET `n` = `n` - 1 WHERE (`scope`, `seller_id`, `item_id`, `from_id`, `status`, `hidden`) = ('world', 0, '', 0, old.`status`, old.`hidden`);
	UPDATE `question_total` SET `n` = `n` - 1 WHERE (`scope`, `seller_id`, `item_id`, `from_id`, `status`, `hidden`) = ('seller', old.`seller_id`, '', 0, old.`status`, old.`hidden`);
	UPDATE `question_total` SET `n` = `n` - 1 WHERE (`scope`, `seller_id`, `item_id`, `from_id`, `status`, `hidden`) = ('listing', 0, old.`item_id`, 0, old.`status`, old.`hidden`);
	UPDATE `question_total` SET `n` = `n` - 1 WHERE (`scope`, `seller_id`, `item_id`, `from_id`, `status`, `hidden`) = ('asker', 0, '', old.`from_id`, old.`status`, old.`hidden`);
	UPDATE `question_total` SET `n` = `n` - 1 WHERE (`scope`, `seller_id`, `item_id`, `from_id`, `status`, `hidden`) = ('pair', old.`seller_id`, '', old.`from_id`, old.`status`, old.`hidden`);
END;
--> statement-breakpoint
CREATE TRIGGER `question_totals_otherwise` AFTER UPDATE OF `status`, `hidden` ON `question`
WHEN (old.`status`, old.`hidden`) <> (new.`status`, new.`hidden`) BEGIN
	UPDATE `question_total` SET `n` = `n` - 1 WHERE (`scope`, `seller_id`, `item_id`, `from_id`, `status`, `hidden`) = ('world', 0, '', 0, old.`status`, old.`hidden`);
	UPDATE `question_total` SET `n` = `n` - 1 WHERE (`scope`, `seller_id`, `item_id`, `from_id`, `status`, `hidden`) = ('seller', old.`seller_id`, '', 0, old.`status`, old.`hidden`);
	UPDATE `question_total` SET `n` = `n` - 1 WHERE (`scope`, `seller_id`, `item_id`, `from_id`, `status`, `hidden`) = ('listing', 0, old.`item_id`, 0, old.`status`, old.`hidden`);
	UPDATE `question_total` SET `n` = `n` - 1 WHERE (`scope`, `seller_id`, `item_id`, `from_id`, `status`, `hidden`) = ('asker', 0, '', old.`from_id`, old.`status`, old.`hidden`);
	UPDATE `question_total` SET `n` = `n` - 1 WHERE (`scope`, `seller_id`, `item_id`, `from_id`, `status`, `hidden`) = ('pair', old.`seller_id`, '', old.`from_id`, old.`status`, old.`hidden`);
	INSERT INTO `question_total` VALUES ('world', 0, '', 0, new.`status`, new.`hidden`, 1) ON CONFLICT DO UPDATE SET `n` = `n` + 1;
	INSERT INTO `question_total` VALUES ('seller', new.`seller_id`, '', 0, new.`status`, new.`hidden`, 1) ON CONFLICT DO UPDATE SET `n` = `n` + 1;
	INSERT INTO `question_total` VALUES ('listing', 0, new.`item_id`, 0, new.`status`, new.`hidden`, 1) ON CONFLICT DO UPDATE SET `n` = `n` + 1;
	INSERT INTO `question_total` VALUES ('asker', 0, '', new.`from_id`, new.`status`, new.`hidden`, 1) ON CONFLICT DO UPDATE SET `n` = `n` + 1;
	INSERT INTO `question_total` VALUES ('pair', new.`seller_id`, '', new.`from_id`, new.`status`, new.`hidden`, 1) ON CONFLICT DO UPDATE SET `n` = `n` + 1;
END;
