CREATE TABLE `question_day` (
	`seller_id` integer NOT NULL,
	`status` text NOT NULL,
	`day` integer NOT NULL,
	`n` integer NOT NULL,
	PRIMARY KEY(`seller_id`, `status`, `day`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `response_hour` (
	`seller_id` integer NOT NULL,
	`hour` integer NOT NULL,
	`answered` integer NOT NULL,
	`taken` integer NOT NULL,
	`open` integer NOT NULL,
	`asked` integer NOT NULL,
	`latest` integer NOT NULL,
	PRIMARY KEY(`seller_id`, `hour`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `access_token_user` ON `access_token` (`user_id`);
--> statement-breakpoint
CREATE INDEX `question_seller_from` ON `question` (`seller_id`,`from_id`,`id`);
--> statement-breakpoint
DROP INDEX `question_seller`;
--> statement-breakpoint
CREATE INDEX `question_seller` ON `question` (`seller_id`,`date_created`,`id`,`status`,`hidden`);
--> statement-breakpoint
CREATE INDEX `user_nickname` ON `user` (`nickname`);
--> statement-breakpoint
INSERT INTO `question_day`
SELECT `seller_id`, `status`, `date_created` / 86400000, count(*) FROM `question` WHERE NOT `hidden` GROUP BY 1, 2, 3;
--> statement-breakpoint
INSERT INTO `response_hour`
SELECT `seller_id`, `date_created` / 3600000, count(`answered_at`), coalesce(sum(min(`answered_at` - `date_created`, 604800000)), 0),
	sum(`answered_at` IS NULL), sum(iif(`answered_at` IS NULL, `date_created` % 3600000, 0)), coalesce(max(`answered_at`), 0)
FROM `question` WHERE `first_of_buyer` AND `status` NOT IN ('DELETED', 'BANNED') GROUP BY 1, 2;
--> statement-breakpoint
CREATE TRIGGER `question_counts` AFTER INSERT ON `question` WHEN NOT new.`hidden` BEGIN
	INSERT INTO `question_day` VALUES (new.`seller_id`, new.`status`, new.`date_created` / 86400000, 1) ON CONFLICT DO UPDATE SET `n` = `n` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `question_counts_no_more` AFTER DELETE ON `question` WHEN NOT old.`hidden` BEGIN
	UPDATE `question_day` SET `n` = `n` - 1 WHERE `seller_id` = old.`seller_id` AND `status` = old.`status` AND `day` = old.`date_created` / 86400000;
END;
--> statement-breakpoint
CREATE TRIGGER `question_counts_otherwise` AFTER UPDATE OF `status`, `hidden` ON `question`
WHEN (old.`status`, old.`hidden`) <> (new.`status`, new.`hidden`) BEGIN
	UPDATE `question_day` SET `n` = `n` - 1 WHERE NOT old.`hidden` AND `seller_id` = old.`seller_id` AND `status` = old.`status` AND `day` = old.`date_created` / 86400000;
	INSERT INTO `question_day` SELECT new.`seller_id`, new.`status`, new.`date_created` / 86400000, 1 WHERE NOT new.`hidden` ON CONFLICT DO UPDATE SET `n` = `n` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `response_counts` AFTER INSERT ON `question` WHEN new.`first_of_buyer` AND new.`status` NOT IN ('DELETED', 'BANNED') BEGIN
	INSERT INTO `response_hour` VALUES (new.`seller_id`, new.`date_created` / 3600000,
		new.`answered_at` IS NOT NULL, coalesce(min(new.`answered_at` - new.`date_created`, 604800000), 0),
		new.`answered_at` IS NULL, iif(new.`answered_at` IS NULL, new.`date_created` % 3600000, 0), coalesce(new.`answered_at`, 0))
	ON CONFLICT DO UPDATE SET `answered` = `answered` + excluded.`answered`, `taken` = `taken` + excluded.`taken`,
		`open` = `open` + excluded.`open`, `asked` = `asked` + excluded.`asked`, `latest` = max(`latest`, excluded.`latest`);
END;
--> statement-breakpoint
CREATE TRIGGER `response_counts_no_more` AFTER DELETE ON `question` WHEN old.`first_of_buyer` AND old.`status` NOT IN ('DELETED', 'BANNED') BEGIN
	UPDATE `response_hour` SET `answered` = `answered` - (old.`answered_at` IS NOT NULL), `taken` = `taken` - coalesce(min(old.`answered_at` - old.`date_created`, 604800000), 0),
		`open` = `open` - (old.`answered_at` IS NULL), `asked` = `asked` - iif(old.`answered_at` IS NULL, old.`date_created` % 3600000, 0)
	WHERE `seller_id` = old.`seller_id` AND `hour` = old.`date_created` / 3600000;
END;
--> statement-breakpoint
CREATE TRIGGER `response_counts_otherwise` AFTER UPDATE OF `status`, `first_of_buyer`, `answered_at` ON `question`
WHEN (old.`first_of_buyer` OR new.`first_of_buyer`)
	AND (old.`first_of_buyer`, old.`status` NOT IN ('DELETED', 'BANNED'), old.`answered_at` - old.`date_created`)
		IS NOT (new.`first_of_buyer`, new.`status` NOT IN ('DELETED', 'BANNED'), new.`answered_at` - new.`date_created`) BEGIN
	UPDATE `response_hour` SET `answered` = `answered` - (old.`answered_at` IS NOT NULL), `taken` = `taken` - coalesce(min(old.`answered_at` - old.`date_created`, 604800000), 0),
		`open` = `open` - (old.`answered_at` IS NULL), `asked` = `asked` - iif(old.`answered_at` IS NULL, old.`date_created` % 3600000, 0)
	WHERE old.`first_of_buyer` AND old.`status` NOT IN ('DELETED', 'BANNED') AND `seller_id` = old.`seller_id` AND `hour` = old.`date_created` / 3600000;
	INSERT INTO `response_hour` SELECT new.`seller_id`, new.`date_created` / 3600000,
		new.`answered_at` IS NOT NULL, coalesce(min(new.`answered_at` - new.`date_created`, 604800000), 0),
		new.`answered_at` IS NULL, iif(new.`answered_at` IS NULL, new.`date_created` % 3600000, 0), coalesce(new.`answered_at`, 0)
	WHERE new.`first_of_buyer` AND new.`status` NOT IN ('DELETED', 'BANNED')
	ON CONFLICT DO UPDATE SET `answered` = `answered` + excluded.`answered`, `taken` = `taken` + excluded.`taken`,
		`open` = `open` + excluded.`open`, `asked` = `asked` + excluded.`asked`, `latest` = max(`latest`, excluded.`latest`);
END;
