export { createLocalOperator, type LocalOperator } from './localOperator.ts'
