ALTER TABLE `item` ADD `seller_sku` text;--> statement-breakpoint
CREATE INDEX `item_seller_sku` ON `item` (`seller_id`,`seller_sku`) WHERE seller_sku IS NOT NULL;