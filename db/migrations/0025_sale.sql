CREATE TABLE `item_description` (
	`item_id` text PRIMARY KEY NOT NULL,
	`plain_text` text NOT NULL,
	`date_created` integer NOT NULL,
	`last_updated` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `picture` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`date_created` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `order_blocked_buyer` (
	`seller_id` integer NOT NULL,
	`buyer_id` integer NOT NULL,
	`date_created` integer NOT NULL,
	PRIMARY KEY(`seller_id`, `buyer_id`)
);
--> statement-breakpoint
CREATE TABLE `order_feedback` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`order_id` integer NOT NULL,
	`role` text NOT NULL,
	`fulfilled` integer NOT NULL,
	`rating` text,
	`message` text,
	`reason` text,
	`restock_item` integer DEFAULT 0 NOT NULL,
	`reply` text,
	`date_created` integer NOT NULL,
	`modified` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `order_feedback_order` ON `order_feedback` (`order_id`,`role`);--> statement-breakpoint
CREATE TABLE `order_note` (
	`id` text PRIMARY KEY NOT NULL,
	`order_id` integer NOT NULL,
	`note` text NOT NULL,
	`date_created` integer NOT NULL,
	`date_last_updated` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `order_note_order` ON `order_note` (`order_id`,`date_created`);--> statement-breakpoint
CREATE TABLE `payment` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`order_id` integer NOT NULL,
	`status` text NOT NULL,
	`status_detail` text NOT NULL,
	`payment_type` text NOT NULL,
	`payment_method_id` text NOT NULL,
	`installments` integer NOT NULL,
	`transaction_amount` real NOT NULL,
	`transaction_amount_refunded` real DEFAULT 0 NOT NULL,
	`shipping_cost` real DEFAULT 0 NOT NULL,
	`authorization_code` text,
	`date_created` integer NOT NULL,
	`date_approved` integer,
	`date_last_modified` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `payment_order` ON `payment` (`order_id`,`id`);--> statement-breakpoint
CREATE TABLE `sale_order` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`pack_id` integer,
	`site_id` text NOT NULL,
	`seller_id` integer NOT NULL,
	`buyer_id` integer NOT NULL,
	`item_id` text NOT NULL,
	`variation_id` integer,
	`item` text NOT NULL,
	`quantity` integer NOT NULL,
	`unit_price` real NOT NULL,
	`full_unit_price` real NOT NULL,
	`sale_fee` real NOT NULL,
	`currency_id` text NOT NULL,
	`shipping_cost` real,
	`shipment_id` integer,
	`status` text NOT NULL,
	`tags` text DEFAULT '[]' NOT NULL,
	`delivered` integer DEFAULT 0 NOT NULL,
	`fulfilled` integer,
	`cancel_detail` text,
	`cancelled_at` integer,
	`date_created` integer NOT NULL,
	`date_closed` integer,
	`last_updated` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `sale_order_seller` ON `sale_order` (`seller_id`,`date_closed`,`id`,`status`);--> statement-breakpoint
CREATE INDEX `sale_order_buyer` ON `sale_order` (`buyer_id`,`date_created`,`id`,`status`);--> statement-breakpoint
CREATE INDEX `sale_order_pack` ON `sale_order` (`pack_id`);--> statement-breakpoint
CREATE INDEX `sale_order_item` ON `sale_order` (`item_id`,`buyer_id`);--> statement-breakpoint
CREATE INDEX `sale_order_unpaid` ON `sale_order` (`date_created`) WHERE status IN ('confirmed', 'payment_required', 'payment_in_process', 'partially_paid');--> statement-breakpoint
ALTER TABLE `item` ADD `category_id` text;--> statement-breakpoint
ALTER TABLE `item` ADD `sold_quantity` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `item` ADD `promotion_until` integer;--> statement-breakpoint
ALTER TABLE `item` ADD `details` text DEFAULT '{}' NOT NULL;