import { defineConfig } from 'drizzle-kit'

export default defineConfig({
  dialect: 'sqlite',
  schema: ['./db/tables.ts', './domains/*/tables.ts'],
  out: './db/migrations',
})
