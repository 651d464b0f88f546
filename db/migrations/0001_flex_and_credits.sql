CREATE TABLE `credit_lead` (
	`id` text PRIMARY KEY NOT NULL,
	`item_id` text NOT NULL,
	`seller_id` integer NOT NULL,
	`buyer_id` integer NOT NULL,
	`down_payment_amount` real NOT NULL,
	`installments_number` integer NOT NULL,
	`installments_amount` real NOT NULL,
	`proposal_id` text,
	`financial_entity_id` text NOT NULL,
	`status` text NOT NULL,
	`date_created` integer NOT NULL,
	`expired` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `credit_lead_seller` ON `credit_lead` (`seller_id`,`date_created`,`id`);--> statement-breakpoint
CREATE TABLE `flex_subscription` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`site_id` text NOT NULL,
	`user_id` integer NOT NULL,
	`mode` text NOT NULL,
	`service_id` integer NOT NULL,
	`status` text NOT NULL,
	`creation_date` integer NOT NULL,
	`training_days` integer,
	`delivery_window` text NOT NULL,
	`delivery_ranges` text NOT NULL,
	`zones` text NOT NULL,
	`radius` integer,
	`is_moderated` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `flex_subscription_user` ON `flex_subscription` (`user_id`,`mode`);--> statement-breakpoint
CREATE TABLE `shipment` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`site_id` text NOT NULL,
	`seller_id` integer NOT NULL,
	`driver_id` integer,
	`route_open` integer DEFAULT 0 NOT NULL,
	`date_created` integer NOT NULL
);
