export { noble as engine } from '../noble.ts'
