export { seeded } from '../common/seeded.ts'
