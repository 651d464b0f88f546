DROP TRIGGER `question_counts`;--> statement-breakpoint
DROP TRIGGER `question_counts_no_more`;--> statement-breakpoint
DROP TRIGGER `question_counts_otherwise`;--> statement-breakpoint
DROP TRIGGER `response_counts`;--> statement-breakpoint
DROP TRIGGER `response_counts_no_more`;--> statement-breakpoint
DROP TRIGGER `response_counts_otherwise`;--> statement-breakpoint
DROP TABLE `asker_total`;--> statement-breakpoint
DROP TABLE `question_day`;--> statement-breakpoint
DROP TABLE `response_hour`;--> statement-breakpoint
DROP INDEX `question_seller_status`;--> statement-breakpoint
DROP INDEX `question_seller_item`;--> statement-breakpoint
DROP INDEX `question_seller_from`;--> statement-breakpoint
DROP INDEX `question_from`;--> statement-breakpoint
DROP INDEX `question_response`;--> statement-breakpoint
DROP INDEX `question_hidden`;--> statement-breakpoint
DROP INDEX `question_seller`;--> statement-breakpoint
DROP INDEX `question_item`;--> statement-breakpoint
DROP INDEX `question_asker`;--> statement-breakpoint
CREATE INDEX `question_seller` ON `question` (`seller_id`,date_created DESC,id DESC,`status`,`hidden`,`item_id`,`from_id`,`first_of_buyer`,`answered_at`);--> statement-breakpoint
CREATE INDEX `question_item` ON `question` (`item_id`,`date_created`,`id`,`status`,`hidden`,`from_id`,`seller_id`);--> statement-breakpoint
CREATE INDEX `question_asker` ON `question` (`from_id`,`item_id`,`date_created`,`id`,`status`,`hidden`,`seller_id`);