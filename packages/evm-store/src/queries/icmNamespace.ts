/** Queries for interchain messages, which are exported as `EvmIcm`. */
export * from './Icm.ts'
export * from './IcmCounts.ts'
export * from './IcmPages.ts'
