export * from './details.ts'
export * from './lookups.ts'
export * from './state.ts'
export * from './times.ts'
