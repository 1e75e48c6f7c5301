export { seeded } from '../internal/seeded.ts'
