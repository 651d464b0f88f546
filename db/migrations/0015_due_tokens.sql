CREATE INDEX `access_token_expiry` ON `access_token` (`expires_at`) WHERE expires_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `authorization_code_expiry` ON `authorization_code` (`expires_at`);--> statement-breakpoint
CREATE INDEX `refresh_token_expiry` ON `refresh_token` (`expires_at`);