ALTER TABLE `item` ADD `available_quantity` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
CREATE INDEX `item_seller_created` ON `item` (`seller_id`,`date_created`,`id`,`status`);--> statement-breakpoint
CREATE INDEX `item_seller_price` ON `item` (`seller_id`,`price`,`id`,`status`);