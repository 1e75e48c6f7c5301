export * from './byAsset.ts'
export * from './lookups.ts'
export * from './pages.ts'
export * from './unknownInputs.ts'
