ALTER TABLE `application` ADD `use_pkce` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `application` ADD `blocked` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `application_grant` ADD `last_call` integer;--> statement-breakpoint
ALTER TABLE `user` ADD `operator` integer DEFAULT 0 NOT NULL;