CREATE TABLE `claim` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`site_id` text NOT NULL,
	`order_id` integer NOT NULL,
	`seller_id` integer NOT NULL,
	`buyer_id` integer NOT NULL,
	`type` text NOT NULL,
	`stage` text NOT NULL,
	`status` text NOT NULL,
	`reason_id` text NOT NULL,
	`resolution` text,
	`expected_resolutions` text DEFAULT '[]' NOT NULL,
	`history` text DEFAULT '[]' NOT NULL,
	`return_shipment_id` integer,
	`date_created` integer NOT NULL,
	`last_updated` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `claim_order` ON `claim` (`order_id`);--> statement-breakpoint
CREATE INDEX `claim_seller` ON `claim` (`seller_id`,`status`,`id`);--> statement-breakpoint
CREATE INDEX `claim_buyer` ON `claim` (`buyer_id`,`id`);--> statement-breakpoint
CREATE TABLE `claim_message` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`claim_id` integer NOT NULL,
	`sender_role` text NOT NULL,
	`receiver_role` text NOT NULL,
	`stage` text NOT NULL,
	`text` text NOT NULL,
	`date_created` integer NOT NULL,
	`date_read` integer
);
--> statement-breakpoint
CREATE INDEX `claim_message_claim` ON `claim_message` (`claim_id`,`id`);--> statement-breakpoint
CREATE TABLE `conversation_block` (
	`id` integer PRIMARY KEY NOT NULL,
	`substatus` text NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `message` (
	`n` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`site_id` text NOT NULL,
	`client_id` integer,
	`pack_id` integer NOT NULL,
	`seller_id` integer NOT NULL,
	`buyer_id` integer NOT NULL,
	`from_id` integer NOT NULL,
	`text` text NOT NULL,
	`status` text DEFAULT 'available' NOT NULL,
	`moderation` text,
	`attachments` text DEFAULT '[]' NOT NULL,
	`option_id` text,
	`date_created` integer NOT NULL,
	`date_read` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `message_id` ON `message` (`id`);--> statement-breakpoint
CREATE INDEX `message_pack` ON `message` (`pack_id`,`seller_id`,`n`);--> statement-breakpoint
CREATE INDEX `message_unread` ON `message` (`seller_id`,`buyer_id`,`n`) WHERE date_read IS NULL;--> statement-breakpoint
CREATE TABLE `message_attachment` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`filename` text NOT NULL,
	`type` text NOT NULL,
	`size` integer NOT NULL,
	`date_created` integer NOT NULL,
	`bytes` blob NOT NULL
);
--> statement-breakpoint
CREATE TABLE `shipment_step` (
	`shipment_id` integer NOT NULL,
	`n` integer NOT NULL,
	`status` text NOT NULL,
	`substatus` text,
	`at` integer NOT NULL,
	`is_published` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`shipment_id`, `n`)
);
--> statement-breakpoint
CREATE INDEX `shipment_step_next` ON `shipment_step` (`at`) WHERE is_published = 0;--> statement-breakpoint
ALTER TABLE `outbox` ADD `actions` text;--> statement-breakpoint
ALTER TABLE `shipment` ADD `buyer_id` integer;--> statement-breakpoint
ALTER TABLE `shipment` ADD `order_id` integer;--> statement-breakpoint
ALTER TABLE `shipment` ADD `type` text DEFAULT 'forward' NOT NULL;--> statement-breakpoint
ALTER TABLE `shipment` ADD `mode` text DEFAULT 'me2' NOT NULL;--> statement-breakpoint
ALTER TABLE `shipment` ADD `logistic_type` text DEFAULT 'self_service' NOT NULL;--> statement-breakpoint
ALTER TABLE `shipment` ADD `tracking_number` text;--> statement-breakpoint
ALTER TABLE `shipment` ADD `details` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE `notification` ADD `actions` text;--> statement-breakpoint
ALTER TABLE `sale_order` ADD `mediations` text DEFAULT '[]' NOT NULL;