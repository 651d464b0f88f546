ALTER TABLE `flex_subscription` ADD `daily_capacity` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
UPDATE `flex_subscription` SET `daily_capacity` = 1 WHERE `mode` = 'FLEX' AND (
	SELECT count(DISTINCT d.`key`) > 1 AND count(DISTINCT json_extract(r.`value`, '$.capacity')) > 1
	FROM json_each(`flex_subscription`.`delivery_ranges`) d, json_each(d.`value`) r);
