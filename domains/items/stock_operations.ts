export { moveStock, stockOf } from './details.ts'
