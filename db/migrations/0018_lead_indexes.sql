DROP INDEX `credit_lead_status`;--> statement-breakpoint
DROP INDEX `credit_lead_expired`;--> statement-breakpoint
DROP INDEX `credit_lead_seller`;--> statement-breakpoint
DROP INDEX `credit_lead_created`;--> statement-breakpoint
DROP INDEX `credit_lead_buyer`;--> statement-breakpoint
DROP INDEX `credit_lead_by_status`;--> statement-breakpoint
CREATE INDEX `credit_lead_seller` ON `credit_lead` (`seller_id`,date_created DESC,`id`,`status`,`expired`,`buyer_id`,`financial_entity_id`,`item_id`);--> statement-breakpoint
CREATE INDEX `credit_lead_created` ON `credit_lead` (date_created DESC,`id`,`expired`);--> statement-breakpoint
CREATE INDEX `credit_lead_buyer` ON `credit_lead` (`buyer_id`,date_created DESC,`id`,`seller_id`,`status`,`expired`);--> statement-breakpoint
CREATE INDEX `credit_lead_by_status` ON `credit_lead` (`status`,date_created DESC,`id`,`expired`);