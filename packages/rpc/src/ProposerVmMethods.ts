import type { MethodTable } from './MethodTable.ts'
import * as Schema from './Schema.ts'

const none = Schema.struct({})

/**
 * Methods of the proposervm API of a chain, which is served at `/ext/bc/{chain}/proposervm` by nodes that run
 * the chain.
 */
export const ProposerVmMethods = {
  'proposervm.getProposedHeight': { params: none, result: Schema.struct({ height: Schema.u64 }) },
  /** Returns the current epoch. `number` is 0 before epochs are active; `startTime` is in Unix seconds. */
  'proposervm.getCurrentEpoch': {
    params: none,
    result: Schema.struct({ number: Schema.u64, startTime: Schema.u64, pChainHeight: Schema.u64 }),
  },
} satisfies MethodTable
